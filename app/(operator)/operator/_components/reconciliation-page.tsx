'use client';

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { TimeText } from '../../../_components/time-text.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { EmptyNote } from './empty-note.tsx';
import { FindingsSection } from './findings-section.tsx';
import { HaltedNetworks } from './halted-networks.tsx';
import { LiveHeading } from './live-heading.tsx';
import { ShowMore } from './show-more.tsx';
import { useReadsOnly } from './use-reads-only.ts';

const REFRESH_MS = 5_000;
const RUNS_SHOWN = 20;

/** The books against each other, and whether we pay or only look. */
export function ReconciliationPage() {
  const room = useRoomWords();
  const { reconciliation } = room;
  const { code } = useWords();
  const readsOnly = useReadsOnly();
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const query = useInfiniteQuery({
    ...trpc.operator.reconciliation.runs.infiniteQueryOptions(
      { limit: RUNS_SHOWN },
      { initialCursor: null, getNextPageParam: (page) => page.nextCursor },
    ),
    refetchInterval: REFRESH_MS,
  });
  const runs = query.data?.pages.flatMap((page) => page.runs);
  const { when, cause, outcome, transfers, findings } = reconciliation.runColumns;
  return (
    <>
      <LiveHeading title={room.pages.reconciliation} lead={reconciliation.lead} query={query} />
      <Mode />
      <HaltedNetworks />
      <Deed
        label={reconciliation.runNow}
        says={reconciliation.runSays}
        tone="primary"
        blocked={readsOnly}
        run={async ({ deedId }) => {
          await operator.reconciliation.runNow.mutate({ deedId });
          return reconciliation.asked;
        }}
      />
      <FindingsSection />
      <section className="space-y-3">
        <h2 className="font-semibold">{reconciliation.runs}</h2>
        {runs?.length === 0 && <EmptyNote>{reconciliation.noRuns}</EmptyNote>}
        {runs !== undefined && runs.length > 0 && (
          <DataTable caption={reconciliation.runs} columns={[when, cause, outcome, transfers, findings]} wide={false}>
            {runs.map((run) => (
              <tr key={run.runId}>
                <Cell className="text-muted">
                  <TimeText at={run.askedAt} />
                </Cell>
                <Cell>{code(run.cause)}</Cell>
                <Cell className={run.outcome === 'agreed' ? 'text-good' : run.outcome === null ? '' : 'text-warn'}>
                  {run.outcome === null ? reconciliation.running : code(run.outcome)}
                  {run.reason !== null && <span className="block text-muted text-xs">{run.reason}</span>}
                </Cell>
                <Cell className="tabular-nums">{run.transfers}</Cell>
                <Cell className="tabular-nums">{run.findings}</Cell>
              </tr>
            ))}
          </DataTable>
        )}
        <ShowMore query={query} />
      </section>
    </>
  );
}

function Mode() {
  const room = useRoomWords();
  const { reconciliation } = room;
  const { code } = useWords();
  const { userId } = usePerson();
  const readsOnly = useReadsOnly();
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const query = useQuery({ ...trpc.operator.reconciliation.mode.queryOptions(), refetchInterval: REFRESH_MS });
  if (query.data === undefined) return null;
  const { mode, reason, since, evidence, spellId, endProposedBy } = query.data;
  if (mode === 'normal') return <Notice tone="good" title={reconciliation.normal} />;
  return (
    <Notice tone="bad" title={reconciliation.lookUpOnly}>
      <p>{reconciliation.lookUpOnlyMore}</p>
      {reason !== null && <p>{code(reason)}</p>}
      {since !== null && <TimeText at={since} />}
      <ul>
        {evidence.map((one) => (
          <li key={one.transferId} className="break-all font-mono text-xs">
            {one.transferId} {one.reference} {one.belief}
          </li>
        ))}
      </ul>
      {endProposedBy === null ? (
        <Deed
          label={reconciliation.propose}
          says={reconciliation.proposeSays}
          blocked={readsOnly}
          run={async ({ deedId }) => {
            await operator.reconciliation.proposeEndOfLookUpOnly.mutate({ deedId });
            return reconciliation.proposed;
          }}
        />
      ) : (
        <Deed
          label={reconciliation.confirm}
          says={reconciliation.confirmSays}
          tone="danger"
          confirms={spellId === null ? null : { deed: 'end_look_up_only', subject: spellId }}
          blocked={readsOnly ?? (endProposedBy === userId ? room.secondPerson : null)}
          run={async ({ stepUp }) => {
            await operator.reconciliation.confirmEndOfLookUpOnly.mutate({ stepUp });
            return reconciliation.ended;
          }}
        />
      )}
    </Notice>
  );
}
