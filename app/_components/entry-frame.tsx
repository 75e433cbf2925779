import type { ReactNode } from 'react';
import { LanguageSwitch } from './language-switch.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { Wordmark } from './wordmark.tsx';

/** What stands around every page before sign-in. */
export function EntryFrame({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-10">
      <div className="flex items-center justify-between">
        <span className="flex items-center gap-2">
          <Wordmark />
        </span>
        <span className="flex items-center gap-1">
          <LanguageSwitch />
          <ThemeSwitch />
        </span>
      </div>
      <div className="space-y-6 rounded-2xl border border-line bg-surface p-6 sm:p-8">
        <div className="space-y-1">
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          <p className="text-muted">{lead}</p>
        </div>
        {children}
      </div>
    </main>
  );
}
