import { Digits } from './digits.tsx';
import { classNames } from './ui/class-names.ts';

/** An amount as the server wrote it, and of what. */
export function Amount({ value, asset, className }: { value: string; asset: string; className?: string }) {
  return (
    <span className={classNames('tabular-nums [overflow-wrap:anywhere]', className)}>
      <Digits value={value} /> {asset}
    </span>
  );
}
