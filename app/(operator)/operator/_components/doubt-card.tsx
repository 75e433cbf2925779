import Link from 'next/link';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { durationText } from '../../../_components/duration-text.ts';
import { StatusBadge } from '../../../_components/status-badge.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { bringIntoView } from './bring-into-view.ts';
import { DoubtDeeds } from './doubt-deeds.tsx';
import type { Doubt } from './room-types.ts';

/** One doubt: what was sent, what was found out, and what people may do about it. */
export function DoubtCard({ doubt, custodySigns }: { doubt: Doubt; custodySigns: boolean }) {
  const room = useRoomWords();
  const operator = useOperatorWords();
  const { code } = useWords();
  const { doubts } = room;
  const limit = doubt.ageLimitSeconds;
  const releasable = doubt.absenceProved || doubt.statement?.stands === true;
  return (
    <Card
      id={`doubt-${doubt.withdrawalId}`}
      ref={bringIntoView}
      data-testid={`doubt-${doubt.withdrawalId}`}
      className="space-y-4"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="font-semibold text-lg">
          <Link href={`/operator/withdrawals/${doubt.withdrawalId}`} prefetch={false} className="hover:underline">
            <Amount value={doubt.amount} asset={doubt.asset} />
          </Link>
        </h2>
        <StatusBadge status={doubt.status} label={operator.status[doubt.status]} />
        <span className={doubt.overdue ? 'font-semibold text-bad text-sm' : 'text-muted text-sm'}>
          {durationText(doubt.ageSeconds)}
          {limit !== null && `, ${operator.ofLimit(durationText(limit))}`}
        </span>
        {doubt.parkedReason !== null && (
          <span className="text-sm text-warn">
            {operator.parked}: {code(doubt.parkedReason)}
          </span>
        )}
      </div>
      <p className="text-sm">
        {doubt.customerEmail}, {doubt.network}: <AddressText value={doubt.address} />
      </p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
        <section className="space-y-3 text-sm">
          <h3 className="font-semibold">{doubts.evidence}</h3>
          <ul className="space-y-2">
            {doubt.sends.map((send) => (
              <li key={send.attempt}>
                <span className="font-medium">{doubts.send(send.attempt)}</span>, <TimeText at={send.at} />:{' '}
                {send.outcome === null ? doubts.noAnswer : code(send.outcome)}
                {send.notAfter !== null && (
                  <span className="block text-muted">
                    {send.notAfterPassed ? doubts.passed : doubts.notAfter} <TimeText at={send.notAfter} />
                  </span>
                )}
              </li>
            ))}
          </ul>
          <p>
            <span className="font-medium">{doubts.lookUp}</span>:{' '}
            {doubt.lastLookUp === null ? (
              doubts.noLookUp
            ) : (
              <>
                {doubt.lastLookUp.outcome === null ? room.working : code(doubt.lastLookUp.outcome)},{' '}
                {room.ago(durationText(doubt.lastLookUp.ageSeconds))}
              </>
            )}
          </p>
          {doubt.statement !== null && (
            <p>
              <span className="font-medium">{doubts.statement}</span>: {doubts.signedAt}{' '}
              <TimeText at={doubt.statement.signedAt} />, {doubts.attachedBy(doubt.statement.attachedBy)}{' '}
              <TimeText at={doubt.statement.attachedAt} />
              {!doubt.statement.stands && <span className="block text-warn">{doubts.fallen}</span>}
            </p>
          )}
          <p className={releasable ? 'text-good' : 'text-warn'}>
            {doubt.absenceProved ? doubts.proved : releasable ? doubts.signed : doubts.notProved}
          </p>
          {doubt.nextLookUpAt !== null && (
            <p className="text-muted">
              {doubts.next} <TimeText at={doubt.nextLookUpAt} />
            </p>
          )}
        </section>
        <DoubtDeeds doubt={doubt} custodySigns={custodySigns} />
      </div>
    </Card>
  );
}
