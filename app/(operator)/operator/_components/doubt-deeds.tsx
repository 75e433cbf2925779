import { TimeText } from '../../../_components/time-text.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Deed } from './deed.tsx';
import { LookUpNowDeed, ParkDeed } from './machine-deeds.tsx';
import type { Doubt } from './room-types.ts';
import { useReadsOnly } from './use-reads-only.ts';

/** Look up now; park; propose and confirm. There is no button that resends or releases on one person's word. */
export function DoubtDeeds({ doubt, custodySigns }: { doubt: Doubt; custodySigns: boolean }) {
  const room = useRoomWords();
  const { doubts } = room;
  const { userId } = usePerson();
  const { operator } = useTRPCClient();
  const { withdrawalId, fence, revision, proposal } = doubt;
  const readsOnly = useReadsOnly();
  const isDoubt = doubt.status === 'in_doubt';
  // What custody gave up on a network that we do not read ends by its signed word, like a doubt.
  const isForPeople = doubt.parkedReason !== null && (isDoubt || doubt.parkedReason === 'given_up_unproved');
  const isUnsent = doubt.status === 'queued';
  // Parked before it was sent there is no doubt to end, only a way back.
  const unparked = isUnsent ? doubts.notSent : isForPeople ? null : doubts.notParked;
  const notReturned =
    isUnsent && doubt.parkedReason !== null ? null : (unparked ?? (isDoubt ? null : doubts.onlyReleased));
  const propose = async (deed: 'release' | 'hand_back', input: { reason: string; deedId: string }) => {
    const { reason, deedId: resolutionId } = input;
    await operator.doubts.propose.mutate({ resolutionId, withdrawalId, deed, fence, revision, reason });
    return doubts.proposed;
  };
  const attach = async (statementId: string, statement: { body: string; signature: string }) => {
    const { kind } = await operator.doubts.attachStatement.mutate({ statementId, withdrawalId, ...statement });
    return kind === 'attached' ? doubts.attached : doubts.alreadyAttached;
  };
  return (
    <section className="space-y-4">
      <LookUpNowDeed withdrawalId={withdrawalId} blocked={readsOnly ?? (isUnsent ? doubts.notSent : null)} />
      {proposal !== null && (
        <Notice tone="info" title={doubts.proposal(doubts.deeds[proposal.deed], proposal.proposedBy)}>
          <p>
            {proposal.reason}, <TimeText at={proposal.proposedAt} />
          </p>
          <Deed
            label={doubts.confirm}
            says={`${proposal.deed === 'release' ? doubts.releaseSays : doubts.handBackSays} ${doubts.confirmSays}`}
            tone="danger"
            confirms={{ deed: 'resolve', subject: proposal.resolutionId }}
            blocked={readsOnly ?? (proposal.proposedById === userId ? room.secondPerson : null)}
            run={async ({ stepUp }) => {
              const { resolutionId } = proposal;
              const { kind } = await operator.doubts.confirm.mutate({ resolutionId, stepUp });
              return kind === 'released' ? doubts.released : doubts.handedBack;
            }}
          />
        </Notice>
      )}
      {doubt.parkedReason === null && <ParkDeed withdrawalId={withdrawalId} blocked={readsOnly} />}
      {!doubt.absenceProved && (
        <Deed
          label={doubts.attach}
          says={doubts.attachSays}
          blocked={readsOnly ?? unparked}
          fields={[
            { name: 'body', label: doubts.statementText, value: '', hint: doubts.statementHint, long: true },
            { name: 'signature', label: doubts.signature, value: '' },
          ]}
          run={({ deedId, typed }) => attach(deedId, { body: typed('body'), signature: typed('signature') })}
        />
      )}
      {!doubt.absenceProved && custodySigns && isDoubt && (
        <Deed
          label={doubts.askCustody}
          says={doubts.askCustodySays}
          blocked={readsOnly ?? unparked}
          run={async ({ deedId }) => {
            const { body, signature } = await operator.lab.askStatement.mutate({ withdrawalId });
            return await attach(deedId, { body, signature });
          }}
        />
      )}
      <Deed
        label={doubts.proposeHandBack}
        says={doubts.handBackSays}
        asksReason
        blocked={readsOnly ?? notReturned}
        run={(input) => propose('hand_back', input)}
      />
      <Deed
        label={doubts.proposeRelease}
        says={doubts.releaseSays}
        tone="danger"
        asksReason
        blocked={
          readsOnly ?? unparked ?? (doubt.absenceProved || doubt.statement?.stands === true ? null : doubts.notProved)
        }
        run={(input) => propose('release', input)}
      />
    </section>
  );
}
