import { createApiClient } from '../workload/api-client.ts';
import type { History } from '../workload/history.ts';

/** Two people on duty, who end what no machine may end, by the doors that real ones use. */
export interface Staff {
  /** One says that our memory is whole again, the other confirms it. @returns whether look-up only has ended */
  endLookUpOnly(): Promise<boolean>;
  /**
   * Ends or hands back every parked doubt that may be: released where absence is proved, handed back to the machine where
   * only look-up only had stood against it.
   */
  settleDoubts(): Promise<{ readonly released: number; readonly handedBack: number }>;
}

interface Doubt {
  readonly withdrawalId: string;
  readonly fence: string;
  readonly revision: string;
  readonly parkedReason: string | null;
  readonly absenceProved: boolean;
}

/** @param input.uuid names each proposal, so that pressing twice proposes once */
export async function openStaff(input: { webUrl: string; history: History; uuid: () => string }): Promise<Staff> {
  const signIn = async (who: string) => {
    const answer = await fetch(`${input.webUrl}/api/demo/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: input.webUrl },
      body: JSON.stringify({ who }),
    });
    if (!answer.ok) throw new Error(`${who} could not sign in: ${answer.status}`);
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
    return createApiClient({ webUrl: input.webUrl, cookie: cookies.join('; '), history: input.history });
  };
  const first = await signIn('olga');
  const second = await signIn('oscar');
  return {
    async endLookUpOnly() {
      await first.mutate('people', { procedure: 'operator.reconciliation.proposeEndOfLookUpOnly', input: undefined });
      const call = { procedure: 'operator.reconciliation.confirmEndOfLookUpOnly', input: undefined };
      return (await second.mutate('people', call)).status === 200;
    },
    async settleDoubts() {
      const seen = (await first.read('operator.doubts.list', undefined)) as { items: Doubt[] } | null;
      const done = { released: 0, handedBack: 0 };
      for (const doubt of seen?.items ?? []) {
        const deed = doubt.parkedReason === 'bytes_unknown' ? 'hand_back' : 'release';
        if (doubt.parkedReason === null || (deed === 'release' && !doubt.absenceProved)) continue;
        const { withdrawalId, fence, revision } = doubt;
        const resolutionId = input.uuid();
        const proposal = {
          resolutionId,
          withdrawalId,
          deed,
          fence,
          revision,
          reason: 'seen by two people of the proof',
        };
        await first.mutate('people', { procedure: 'operator.doubts.propose', input: proposal });
        // Newer evidence since then refuses it, and the next look begins anew.
        const { kind } = await second.mutate('people', {
          procedure: 'operator.doubts.confirm',
          input: { resolutionId },
        });
        if (kind === 'released') done.released += 1;
        if (kind === 'handed_back') done.handedBack += 1;
      }
      return done;
    },
  };
}
