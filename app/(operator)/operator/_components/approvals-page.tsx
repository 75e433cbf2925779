'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { durationText } from '../../../_components/duration-text.ts';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';
import type { Approval } from './room-types.ts';
import { ShowMore } from './show-more.tsx';

const REFRESH_MS = 5_000;
const PAGE_SIZE = 50;

/** What waits for people, and the two things they can say. */
export function ApprovalsPage() {
  const room = useRoomWords();
  const { columns } = room.approvals;
  const trpc = useTRPC();
  const query = useInfiniteQuery({
    ...trpc.operator.approvals.list.infiniteQueryOptions(
      { limit: PAGE_SIZE },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <>
      <LiveHeading title={room.pages.approvals} lead={room.approvals.lead} query={query} />
      {items?.length === 0 && <EmptyNote>{room.approvals.empty}</EmptyNote>}
      {items !== undefined && items.length > 0 && (
        <DataTable
          caption={room.pages.approvals}
          columns={[columns.what, columns.to, columns.why, columns.age, columns.given]}
        >
          {items.map((item) => (
            <Row key={`${item.withdrawalId} ${item.revision}`} item={item} />
          ))}
        </DataTable>
      )}
      <ShowMore query={query} />
    </>
  );
}

function Row({ item }: { item: Approval }) {
  const room = useRoomWords();
  const { code } = useWords();
  const { userId, role } = usePerson();
  const { operator } = useTRPCClient();
  const { withdrawalId, payloadSha256, revision } = item;
  const seen = { withdrawalId, payloadSha256, revision };
  const gave = item.approvals.some((approval) => approval.approverId === userId);
  const blocked = role !== 'approver' ? room.needsRole(room.approvals.approver) : gave ? room.secondPerson : null;
  return (
    <tr data-testid={`approval-${withdrawalId}`}>
      <Cell>
        <Link
          href={`/operator/withdrawals/${withdrawalId}`}
          prefetch={false}
          className="font-medium text-accent hover:underline"
        >
          <Amount value={item.amount} asset={item.asset} />
        </Link>
        <span className="block text-muted text-xs">
          {item.value === null ? room.approvals.noPrice : room.approvals.value(item.value)}
        </span>
        <span className="block text-xs">{item.customerEmail}</span>
      </Cell>
      <Cell className="max-w-60">
        <span className="block text-muted text-xs">{item.network}</span>
        <AddressText value={item.address} />
        {item.memo !== null && <span className="block text-xs">{item.memo}</span>}
      </Cell>
      <Cell>
        <ul>
          {item.reasons.map((reason) => (
            <li key={reason}>{code(reason)}</li>
          ))}
        </ul>
      </Cell>
      <Cell className="whitespace-nowrap tabular-nums">{durationText(item.ageSeconds)}</Cell>
      <Cell className="space-y-2">
        <p>{room.approvals.given(item.approvals.length, item.approvalsRequired)}</p>
        {item.approvals.map((approval) => (
          <p key={approval.approverId} className="text-muted text-xs">
            {approval.approverName}
          </p>
        ))}
        <div className="flex flex-wrap gap-2">
          <Deed
            label={room.approvals.approve}
            says={room.approvals.approveSays}
            tone="primary"
            asksReason
            confirms={{ deed: 'approve', subject: withdrawalId }}
            blocked={blocked}
            run={async ({ reason, stepUp }) => {
              const answer = await operator.approvals.approve.mutate({ ...seen, reason, stepUp });
              return answer.kind === 'approved' ? room.approvals.approved : room.approvals.waiting(answer.missing);
            }}
          />
          {role === 'approver' && (
            <Deed
              label={room.approvals.reject}
              says={room.approvals.rejectSays}
              tone="danger"
              asksReason
              run={async ({ reason }) => {
                await operator.approvals.reject.mutate({ ...seen, reason });
                return room.approvals.rejected;
              }}
            />
          )}
        </div>
      </Cell>
    </tr>
  );
}
