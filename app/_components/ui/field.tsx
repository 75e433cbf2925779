import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export const CONTROL =
  'w-full min-h-12 rounded-xl border border-field bg-surface px-3.5 text-base text-ink placeholder:text-muted aria-invalid:border-bad aria-invalid:border-2';

/** The ids by which a control names its hint and its error. */
export function describedBy(id: string, parts: { hint?: boolean; error?: boolean }): string | undefined {
  const ids = [parts.error === true && `${id}-error`, parts.hint === true && `${id}-hint`].filter((part) => part);
  return ids.length === 0 ? undefined : ids.join(' ');
}

type FieldProps = {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | null;
  aside?: ReactNode;
  children: ReactNode;
};

/** Label above, control, then what is wrong or what helps; all tied together for a screen reader. */
export function Field({ id, label, hint, error, aside, children }: FieldProps) {
  return (
    <div className="space-y-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {error && (
        <p id={`${id}-error`} className="text-bad text-sm">
          {error}
        </p>
      )}
      {hint && (
        <div id={`${id}-hint`} className={classNames('text-muted text-sm', error && 'sr-only')}>
          {hint}
        </div>
      )}
    </div>
  );
}
