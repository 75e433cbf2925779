'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { ButtonLink } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { FlowSection } from './flow-section.tsx';
import { InvariantTiles } from './invariant-tiles.tsx';
import { LiveHeading } from './live-heading.tsx';
import { findAlarms } from './overview-alarms.ts';
import { OverviewHealth } from './overview-health.tsx';
import { OverviewStates } from './overview-states.tsx';
import type { Overview } from './room-types.ts';
import { StatusCounts } from './status-counts.tsx';
import { WithdrawalTable } from './withdrawal-table.tsx';

const REFRESH_MS = 4_000; // "Within five seconds" is the promise to whoever is on duty.
const WORST_SHOWN = 10;

/** Whether anything is wrong, what, since when, and where to go. */
export function OverviewPage() {
  const operator = useOperatorWords();
  const room = useRoomWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.operator.overview.show.queryOptions(), refetchInterval: REFRESH_MS });
  const worst = useQuery({
    ...trpc.operator.withdrawals.queryOptions({ cursor: null, limit: WORST_SHOWN, sort: 'worst_first' }),
    refetchInterval: REFRESH_MS * 2,
  });
  const overdue = worst.data?.items.filter((item) => item.overdue) ?? [];
  return (
    <>
      <LiveHeading title={operator.overview} query={query} />
      {query.data !== undefined && (
        <>
          <Verdict overview={query.data} />
          <section className="space-y-3">
            <h2 className="font-semibold">{room.overview.invariants}</h2>
            <InvariantTiles invariants={query.data.invariants} />
          </section>
          <section className="space-y-3">
            <h2 className="font-semibold">{room.overview.states}</h2>
            <OverviewStates statuses={query.data.statuses} />
          </section>
          {overdue.length > 0 && (
            <section className="space-y-3">
              <h2 className="font-semibold">{operator.worst}</h2>
              <WithdrawalTable items={overdue} caption={operator.worst} />
            </section>
          )}
          <FlowSection />
          <OverviewHealth overview={query.data} />
        </>
      )}
      {worst.data !== undefined && (
        <section className="space-y-3">
          <h2 className="font-semibold">{operator.perStatus}</h2>
          <StatusCounts counts={worst.data.counts} />
          <ButtonLink href="/operator/withdrawals">{operator.seeAll}</ButtonLink>
        </section>
      )}
    </>
  );
}

function Verdict({ overview }: { overview: Overview }) {
  const room = useRoomWords();
  const operator = useOperatorWords();
  const alarms = findAlarms(overview, { room, operator });
  if (alarms.length === 0) {
    return (
      <Notice tone="good" title={room.overview.allWell}>
        <p>{room.overview.allWellMore}</p>
      </Notice>
    );
  }
  const tone = alarms.some((alarm) => alarm.tone === 'bad') ? 'bad' : 'warn';
  return (
    <Notice tone={tone} title={room.overview.alarms(alarms.length)}>
      <ul className="list-disc space-y-1 pl-5">
        {alarms.map(({ text, href }) => (
          <li key={text}>
            <Link href={href} prefetch={false} className="underline">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
