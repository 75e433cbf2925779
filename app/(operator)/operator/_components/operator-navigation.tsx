'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { classNames } from '../../../_components/ui/class-names.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';

/** Every page of the room: a column beside the content, and on a phone a row that scrolls by itself. */
export function OperatorNavigation({ demoMode }: { demoMode: boolean }) {
  const { navigation, pages } = useRoomWords();
  const path = usePathname();
  const row = useRef<HTMLElement>(null);
  // On a phone the page that is open may stand beyond the edge of the row. Only the row moves, never the page.
  useEffect(() => {
    const page = path.split('/').slice(0, 3).join('/');
    const link = row.current?.querySelector<HTMLElement>(`a[href="${page}"]`);
    if (row.current && link)
      row.current.scrollLeft = link.offsetLeft - (row.current.clientWidth - link.offsetWidth) / 2;
  }, [path]);
  const items = [
    { href: '/operator', label: pages.overview },
    { href: '/operator/withdrawals', label: pages.withdrawals },
    { href: '/operator/approvals', label: pages.approvals },
    { href: '/operator/in-doubt', label: pages.inDoubt },
    { href: '/operator/cases', label: pages.cases },
    { href: '/operator/reconciliation', label: pages.reconciliation },
    { href: '/operator/queues', label: pages.queues },
    { href: '/operator/switches', label: pages.switches },
    { href: '/operator/customers', label: pages.customers },
    { href: '/operator/assets', label: pages.assets },
    { href: '/operator/ledger', label: pages.ledger },
    { href: '/operator/audit', label: pages.audit },
    ...(demoMode ? [{ href: '/operator/fault-lab', label: pages.faultLab }] : []),
  ];
  return (
    <nav
      ref={row}
      aria-label={navigation}
      className="relative -mx-4 flex gap-1 overflow-x-auto border-line border-b px-4 py-2 sm:-mx-6 sm:px-6 lg:sticky lg:top-0 lg:mx-0 lg:flex-col lg:self-start lg:overflow-visible lg:border-0 lg:px-0 lg:py-8"
    >
      {items.map(({ href, label }) => {
        const here = href === '/operator' ? path === href : path === href || path.startsWith(`${href}/`);
        return (
          <Link
            key={href}
            href={href}
            prefetch={false}
            aria-current={here ? 'page' : undefined}
            className={classNames(
              'inline-flex min-h-10 shrink-0 items-center rounded-lg px-3 font-medium text-sm',
              here ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-raised hover:text-ink',
            )}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
