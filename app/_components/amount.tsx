import { Fragment } from 'react';
import { classNames } from './ui/class-names.ts';

/**
 * An amount as the server wrote it: every digit, never rounded. Thousands are set apart by a drawn gap, so that neither
 * a comma nor a point can be misread and a copy stays a plain number.
 */
export function Amount({ value, asset, className }: { value: string; asset: string; className?: string }) {
  const [whole = '', fraction] = value.split('.');
  const groups = whole.length > 4 ? groupsOfThree(whole) : [whole];
  return (
    <span className={classNames('tabular-nums [overflow-wrap:anywhere]', className)}>
      <span className="group-gap [&>span]:me-[0.2em]! [&>span:last-child]:me-0!">
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number never move.
          <span key={index}>{group}</span>
        ))}
      </span>
      {fraction === undefined ? null : <Fragment>.{fraction}</Fragment>} {asset}
    </span>
  );
}

function groupsOfThree(digits: string): string[] {
  const first = digits.length % 3;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let start = first; start < digits.length; start += 3) groups.push(digits.slice(start, start + 3));
  return groups;
}
