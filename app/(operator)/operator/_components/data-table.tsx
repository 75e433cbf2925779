import type { CSSProperties, ReactNode } from 'react';
import { classNames } from '../../../_components/ui/class-names.ts';
import { ScrollFrame } from '../../../_components/ui/scroll-frame.tsx';

type Column = string | { name: string; right: true };

/**
 * A table of facts in the room's look. On a phone each row becomes a card, and each cell carries the name of its column: `stacking-table`
 * in the style sheet. A tablet may scroll it inside its own frame.
 */
export function DataTable({
  caption,
  columns,
  wide = true,
  children,
}: {
  caption: string;
  columns: readonly Column[];
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <ScrollFrame label={caption}>
      <table
        className={classNames('stacking-table w-full text-left text-sm', wide ? 'md:min-w-200' : 'md:min-w-120')}
        style={namesOf(columns)}
      >
        <caption className="sr-only">{caption}</caption>
        <thead className="border-line border-b text-muted text-xs">
          <tr>
            {columns.map((column) => {
              const name = typeof column === 'string' ? column : column.name;
              return (
                <th
                  key={name}
                  scope="col"
                  className={classNames('px-4 py-3 font-medium', typeof column !== 'string' && 'text-right')}
                >
                  {name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </ScrollFrame>
  );
}

/** The names of the columns, for the style sheet to write beside each cell of a card. */
function namesOf(columns: readonly Column[]): CSSProperties {
  const names = columns.map((column) => JSON.stringify(typeof column === 'string' ? column : column.name));
  return Object.fromEntries(names.map((name, index) => [`--column-${index + 1}`, name]));
}

/** One cell, in the table's rhythm. */
export function Cell({
  right = false,
  className,
  children,
}: {
  right?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <td className={classNames('px-4 py-3 align-top', right && 'text-right tabular-nums', className)}>{children}</td>
  );
}
