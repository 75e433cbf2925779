'use client';

import { enError } from './_words/en-error.ts';
import './globals.css';

/** The frame itself broke, so this brings a document of its own. */
export default function GlobalErrorPage() {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto max-w-xl space-y-4 px-4 py-20">
          <h1 className="font-semibold text-2xl tracking-tight">{enError.title}</h1>
          <p className="text-muted">{enError.more}</p>
          <button
            type="button"
            onClick={() => window.location.reload()}
            className="min-h-11 rounded-xl border border-transparent bg-accent px-4 font-medium text-on-accent"
          >
            {enError.again}
          </button>
        </main>
      </body>
    </html>
  );
}
