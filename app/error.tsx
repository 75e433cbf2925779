'use client';

import { errorWords } from './_words/en-error.ts';
import { useLanguage } from './_words/language-provider.tsx';

/** A page broke. Withdrawals live on the server, and the sentence says so. Every page loads this: it imports little. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const words = errorWords(useLanguage());
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-xl space-y-4 px-4 py-20">
      <h1 className="font-semibold text-2xl tracking-tight">{words.title}</h1>
      <p className="text-muted">{words.more}</p>
      <button
        type="button"
        onClick={reset}
        className="min-h-11 rounded-xl border border-transparent bg-accent px-4 font-medium text-on-accent"
      >
        {words.again}
      </button>
      {error.digest !== undefined && (
        <p className="text-muted text-sm">
          {words.reference}: <span className="font-mono">{error.digest}</span>
        </p>
      )}
    </main>
  );
}
