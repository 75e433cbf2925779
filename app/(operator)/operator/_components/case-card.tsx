import Link from 'next/link';
import { durationText } from '../../../_components/duration-text.ts';
import { TimeText } from '../../../_components/time-text.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { bringIntoView } from './bring-into-view.ts';
import { Deed } from './deed.tsx';
import type { ShownCase } from './room-types.ts';
import { useReadsOnly } from './use-reads-only.ts';

/** One contradiction with everything that was found, and the two steps that close it. */
export function CaseCard({ one }: { one: ShownCase }) {
  const room = useRoomWords();
  const { cases } = room;
  const { code } = useWords();
  return (
    <Card id={`case-${one.caseId}`} ref={bringIntoView} data-testid={`case-${one.caseId}`} className="space-y-4">
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 className="font-semibold text-lg">{code(one.kind)}</h2>
        <span className="text-muted text-sm">
          {room.since(durationText(one.ageSeconds))}, <TimeText at={one.openedAt} />
        </span>
      </div>
      {one.payoutsStopped && <p className="text-sm text-warn">{cases.stopped}</p>}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
        <section className="space-y-3 text-sm">
          <h3 className="font-semibold">{cases.evidence}</h3>
          {(one.withdrawalId !== null || one.customerEmail !== null) && (
            <p>
              {one.customerEmail}{' '}
              {one.withdrawalId !== null && (
                <Link
                  href={`/operator/withdrawals/${one.withdrawalId}`}
                  prefetch={false}
                  className="text-accent underline"
                >
                  {cases.withdrawal}
                </Link>
              )}
            </p>
          )}
          {one.kind === 'found_by_reconciliation' && (
            <p>
              <Link href="/operator/reconciliation" prefetch={false} className="text-accent underline">
                {cases.finding}
              </Link>
            </p>
          )}
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
            {one.evidence.map(({ name, value }) => (
              <div key={name} className="contents">
                <dt className="text-muted">{code(name)}</dt>
                <dd className="break-all font-mono text-xs leading-5">{value}</dd>
              </div>
            ))}
          </dl>
        </section>
        <CaseDeeds one={one} />
      </div>
    </Card>
  );
}

function CaseDeeds({ one }: { one: ShownCase }) {
  const room = useRoomWords();
  const { cases } = room;
  const { userId } = usePerson();
  const { operator } = useTRPCClient();
  const { caseId, revision, proposal, closed } = one;
  const readsOnly = useReadsOnly();
  if (closed !== null) {
    return (
      <p className="text-sm">
        {cases.closedBy(closed.by ?? cases.nobody)}, <TimeText at={closed.at} />: {closed.reason}
      </p>
    );
  }
  return (
    <section className="space-y-4">
      {proposal !== null && (
        <Notice tone="info" title={cases.proposal(proposal.by)}>
          <p>
            {proposal.reason}, <TimeText at={proposal.at} />
          </p>
          <Deed
            label={cases.confirm}
            says={cases.confirmSays}
            tone="danger"
            confirms={{ deed: 'close_case', subject: caseId }}
            blocked={
              readsOnly ??
              (proposal.byId === userId ? room.secondPerson : proposal.isOfThisEvidence ? null : cases.older)
            }
            run={async ({ stepUp }) => {
              const { payoutsResumed } = await operator.cases.confirmClose.mutate({ caseId, stepUp });
              return payoutsResumed ? cases.closedAndResumed : cases.closed;
            }}
          />
        </Notice>
      )}
      <Deed
        label={cases.propose}
        says={cases.proposeSays}
        asksReason
        blocked={readsOnly}
        run={async ({ reason, deedId }) => {
          await operator.cases.proposeClose.mutate({ caseId, revision, reason, deedId });
          return cases.proposed;
        }}
      />
    </section>
  );
}
