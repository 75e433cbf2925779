import { classNames } from './class-names.ts';

/** A place of the true size while its content loads. The block around it carries `aria-busy`. */
export function Skeleton({ className }: { className: string }) {
  return (
    <div aria-hidden="true" className={classNames('motion-safe:animate-pulse rounded-lg bg-line/60', className)} />
  );
}
