import { Fragment } from 'react';

/**
 * A decimal text with every digit, never rounded. Thousands are set apart by a drawn gap, so that neither a comma nor a point can be
 * misread and a copy stays a plain number.
 */
export function Digits({ value }: { value: string }) {
  const [whole = '', fraction] = value.split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const digits = whole.slice(sign.length);
  const groups = digits.length > 4 ? groupsOfThree(digits) : [digits];
  return (
    <>
      {sign}
      <span className="group-gap [&>span]:me-[0.2em]! [&>span:last-child]:me-0!">
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one number never move.
          <span key={index}>{group}</span>
        ))}
      </span>
      {fraction === undefined ? null : <Fragment>.{fraction}</Fragment>}
    </>
  );
}

function groupsOfThree(digits: string): string[] {
  const first = digits.length % 3;
  const groups = first === 0 ? [] : [digits.slice(0, first)];
  for (let start = first; start < digits.length; start += 3) groups.push(digits.slice(start, start + 3));
  return groups;
}
