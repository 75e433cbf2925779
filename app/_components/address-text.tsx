import { Fragment } from 'react';
import { classNames } from './ui/class-names.ts';

/**
 * An address, key or hash in full, in groups of four to compare by eye. The gaps are drawn and the breaks are empty, so
 * that a selection copies the plain text. Never shortened: a look-alike address counts on that.
 */
export function AddressText({
  value,
  className,
  ...rest
}: {
  value: string;
  className?: string;
  'data-testid'?: string;
}) {
  const groups = value.match(/^0x|.{1,4}/gsu) ?? [];
  return (
    <span className={classNames('group-gap break-words font-mono text-[0.92em]', className)} translate="no" {...rest}>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address never move.
        <Fragment key={index}>
          <span>{group}</span>
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
