'use client';

import { useSyncExternalStore } from 'react';
import { errorWords, visitLanguage } from './_words/en-error.ts';
import './globals.css';

/** The frame itself broke, so this brings a document of its own, in the language that the visit had. */
export default function GlobalErrorPage() {
  // The server may send this page as it was built, before anybody asked.
  const language = useSyncExternalStore(neverChanges, visitLanguage, () => 'en' as const);
  const words = errorWords(language);
  return (
    <html lang={language}>
      <body>
        <main className="mx-auto max-w-xl space-y-4 px-4 py-20">
          <h1 className="font-semibold text-2xl tracking-tight">{words.title}</h1>
          <p className="text-muted">{words.more}</p>
          <button
            type="button"
            onClick={() => window.location.reload()}
            className="min-h-11 rounded-xl border border-transparent bg-accent px-4 font-medium text-on-accent"
          >
            {words.again}
          </button>
        </main>
      </body>
    </html>
  );
}

function neverChanges() {
  return () => undefined;
}
