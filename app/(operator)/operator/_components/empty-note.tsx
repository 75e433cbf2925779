import type { ReactNode } from 'react';

/** Said where a list has nothing in it. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return <p className="rounded-2xl border border-line bg-surface p-8 text-center">{children}</p>;
}
