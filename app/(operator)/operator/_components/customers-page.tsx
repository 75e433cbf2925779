'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { TimeText } from '../../../_components/time-text.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { CustomerDeeds } from './customer-deeds.tsx';
import { Cell, DataTable } from './data-table.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';
import type { StaffCustomer } from './room-types.ts';
import { SearchForm, useSearchText } from './search-form.tsx';
import { ShowMore } from './show-more.tsx';
import { TiersSection } from './tiers-section.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 10_000;

/** Customers with what stops them, and their limits. */
export function CustomersPage() {
  const room = useRoomWords();
  const { customers } = room;
  const trpc = useTRPC();
  const search = useSearchText();
  const query = useInfiniteQuery({
    ...trpc.operator.customers.list.infiniteQueryOptions(
      { limit: PAGE_SIZE, search: search === '' ? null : search },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  const { who, tier, state, open, act } = customers.columns;
  return (
    <>
      <LiveHeading title={room.pages.customers} query={query} />
      <SearchForm label={customers.search} button={customers.find} path="/operator/customers" />
      {items?.length === 0 && <EmptyNote>{customers.empty}</EmptyNote>}
      {items !== undefined && items.length > 0 && (
        <DataTable caption={room.pages.customers} columns={[who, tier, state, open, act]}>
          {items.map((customer) => (
            <Row key={customer.customerId} customer={customer} />
          ))}
        </DataTable>
      )}
      <ShowMore query={query} />
      <TiersSection />
    </>
  );
}

function Row({ customer }: { customer: StaffCustomer }) {
  const { customers } = useRoomWords();
  const { code } = useWords();
  const { customerId, frozen, frozenUntil, payoutsStopped } = customer;
  const isActive = frozen === null && frozenUntil === null && payoutsStopped === null;
  return (
    <tr data-testid={`customer-${customer.email}`}>
      <Cell>
        <span className="font-medium">{customer.email}</span>
        <span className="block text-muted text-xs">{customer.name}</span>
        <span className="block font-mono text-muted text-xs">{customerId}</span>
      </Cell>
      <Cell>
        {customer.tier}
        {customer.reviewAll && <span className="block text-warn text-xs">{customers.reviewAll}</span>}
      </Cell>
      <Cell>
        {isActive && <span className="text-good">{customers.active}</span>}
        {frozen !== null && (
          <span className="block font-semibold text-bad">
            {customers.frozen}: {frozen.reason}, <TimeText at={frozen.since} />
          </span>
        )}
        {frozenUntil !== null && (
          <span className="block text-warn">
            {customers.frozenUntil} <TimeText at={frozenUntil} />
          </span>
        )}
        {payoutsStopped !== null && (
          <span className="block text-bad">{customers.stopped(code(payoutsStopped).toLowerCase())}</span>
        )}
      </Cell>
      <Cell>
        <Link
          href={`/operator/withdrawals?search=${customerId}&sort=newest`}
          prefetch={false}
          className="text-accent tabular-nums underline"
        >
          {customer.openWithdrawals}
        </Link>
      </Cell>
      <Cell className="space-y-2">
        <CustomerDeeds customer={customer} />
      </Cell>
    </tr>
  );
}
