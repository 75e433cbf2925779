'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useWords } from '../_words/use-words.ts';

const SHOWN_MS = 2_500; // Long enough to be read, short enough to be pressed again.

/** Copies the plain text. Where the browser forbids it, the text beside the button can still be selected. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const words = useWords();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <>
      <button
        type="button"
        aria-label={words.site.copy(what)}
        onClick={() =>
          navigator.clipboard?.writeText(text).then(
            () => setCopied(true),
            () => setCopied(false),
          )
        }
        className="inline-flex size-8 shrink-0 pointer-coarse:size-11 items-center justify-center rounded-lg text-muted hover:bg-raised hover:text-ink"
      >
        {copied ? (
          <Check aria-hidden="true" className="size-4 text-good" />
        ) : (
          <Copy aria-hidden="true" className="size-4" />
        )}
      </button>
      <span role="status" className="sr-only">
        {copied ? words.site.copied : ''}
      </span>
    </>
  );
}
