'use client';

import type { Language } from '#domain/language.ts';
import { useWords } from '../_words/use-words.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/**
 * Names the other language in that language, as somebody who cannot read this one looks for it. `onChoose` is told before the
 * page is loaded anew: mail to somebody who is signed in speaks that language too.
 */
export function LanguageSwitch({ onChoose }: { onChoose?: (language: Language) => Promise<unknown> }) {
  const { site } = useWords();
  return (
    <button
      type="button"
      lang={site.otherLanguageCode}
      className="inline-flex min-h-9 items-center rounded-lg border border-transparent px-2.5 text-muted text-sm hover:bg-raised hover:text-ink"
      onClick={async () => {
        // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
        document.cookie = `language=${site.otherLanguageCode}; path=/; max-age=${YEAR_S}; samesite=lax`;
        // The page changes even where the mail's language could not be kept.
        await onChoose?.(site.otherLanguageCode === 'de' ? 'de' : 'en').catch(() => undefined);
        window.location.reload();
      }}
    >
      {site.otherLanguage}
    </button>
  );
}
