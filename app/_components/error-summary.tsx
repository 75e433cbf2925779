'use client';

import { useEffect, useRef } from 'react';
import { Notice } from './ui/notice.tsx';

export type FieldProblem = { id: string; message: string };

/** What is wrong with a form, each a link to its field. It takes the focus every time `attempt` grows. */
export function ErrorSummary({
  title,
  problems,
  attempt,
}: {
  title: string;
  problems: FieldProblem[];
  attempt: number;
}) {
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) summary.current?.focus();
  }, [attempt]);
  if (problems.length === 0) return null;
  return (
    <div ref={summary} tabIndex={-1} role="alert">
      <Notice tone="bad" title={title}>
        <ul className="list-disc space-y-1 pl-4">
          {problems.map(({ id, message }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="underline underline-offset-2"
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(id)?.focus();
                }}
              >
                {message}
              </a>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
