'use client';

import { type ReactNode, useEffect, useRef } from 'react';

let firstPage = true;

/** The page's one h1. It takes the focus when a page follows another, so that a screen reader starts there. */
export function PageHeading({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The first page of a visit keeps the focus where the browser puts it, before the skip link.
    if (!firstPage) heading.current?.focus();
    firstPage = false;
  }, []);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h1 ref={heading} tabIndex={-1} className="font-semibold text-2xl tracking-tight sm:text-3xl">
        {children}
      </h1>
      {aside}
    </div>
  );
}
