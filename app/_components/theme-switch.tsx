'use client';

import { Moon, Sun } from 'lucide-react';
import { useWords } from '../_words/use-words.ts';

const YEAR_S = 365 * 24 * 60 * 60;

/** Turns light into dark and back. The cookie lets the server write the choice before the first paint. */
export function ThemeSwitch() {
  const { site } = useWords();
  const button = 'size-9 items-center justify-center rounded-lg text-muted hover:bg-raised hover:text-ink';
  return (
    <>
      <button
        type="button"
        aria-label={site.themeToDark}
        className={`theme-to-dark ${button}`}
        onClick={() => choose('dark')}
      >
        <Moon aria-hidden="true" className="size-4.5" />
      </button>
      <button
        type="button"
        aria-label={site.themeToLight}
        className={`theme-to-light ${button}`}
        onClick={() => choose('light')}
      >
        <Sun aria-hidden="true" className="size-4.5" />
      </button>
    </>
  );
}

function choose(theme: 'dark' | 'light') {
  document.documentElement.dataset.theme = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http.
  document.cookie = `theme=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
