import type { ReactNode } from 'react';

/** A wide table scrolls inside this frame, never the page. */
export function ScrollFrame({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="overflow-x-auto rounded-2xl border border-line bg-surface"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      {children}
    </section>
  );
}
