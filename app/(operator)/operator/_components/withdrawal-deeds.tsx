import { ButtonLink } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import type { OperatorWithdrawal } from '../../../_trpc/api-types.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Deed } from './deed.tsx';
import { LookUpNowDeed, ParkDeed } from './machine-deeds.tsx';
import { useReadsOnly } from './use-reads-only.ts';

type Status = OperatorWithdrawal['withdrawal']['status'];

const MAY_SEND: ReadonlySet<Status> = new Set<Status>(['queued', 'dispatching', 'in_doubt']);
const AT_CUSTODY: ReadonlySet<Status> = new Set<Status>(['dispatching', 'in_doubt', 'submitted', 'broadcast']);

/** What one person may do about one withdrawal, and where two people decide. Nothing of it sends or releases. */
export function WithdrawalDeeds({ withdrawal }: { withdrawal: OperatorWithdrawal['withdrawal'] }) {
  const { deeds } = useRoomWords();
  const { operator } = useTRPCClient();
  const readsOnly = useReadsOnly();
  const { withdrawalId, status, parkedReason, customerEmail } = withdrawal;
  const isForPeople = status === 'in_doubt' || parkedReason !== null;
  return (
    <Card data-testid="withdrawal-deeds" className="space-y-4 text-sm">
      <h2 className="font-semibold text-base">{deeds.title}</h2>
      <LookUpNowDeed
        withdrawalId={withdrawalId}
        blocked={readsOnly ?? (AT_CUSTODY.has(status) ? null : deeds.notAtCustody)}
      />
      <ParkDeed
        withdrawalId={withdrawalId}
        blocked={readsOnly ?? (parkedReason !== null ? deeds.isParked : MAY_SEND.has(status) ? null : deeds.notSending)}
      />
      <Deed
        label={deeds.cancel}
        says={deeds.cancelSays}
        tone="danger"
        asksReason
        blocked={
          readsOnly ??
          (status === 'queued' ? null : status === 'awaiting_approval' ? deeds.approversEnd : deeds.notWaiting)
        }
        run={async ({ reason }) => {
          const { kind } = await operator.doubts.cancel.mutate({ withdrawalId, reason });
          return kind === 'too_late' ? deeds.tooLate : deeds.cancelled;
        }}
      />
      <div className="flex flex-wrap gap-2">
        {status === 'awaiting_approval' && (
          <ButtonLink size="small" href="/operator/approvals">
            {deeds.approvals}
          </ButtonLink>
        )}
        {isForPeople && (
          <ButtonLink size="small" href={`/operator/in-doubt#doubt-${withdrawalId}`}>
            {deeds.inDoubt}
          </ButtonLink>
        )}
        {customerEmail !== null && (
          <ButtonLink size="small" href={`/operator/customers?search=${encodeURIComponent(customerEmail)}`}>
            {deeds.customer}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}
