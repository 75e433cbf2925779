import { createApiClient } from '../workload/api-client.ts';
import type { History } from '../workload/history.ts';

/** Two people on duty, who end what no machine may end, by the doors that real ones use. */
export interface Staff {
  /** Proposes and confirms the release of every parked doubt whose absence is proved. @returns how many were released */
  releaseProvedAbsent(): Promise<number>;
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
    async releaseProvedAbsent() {
      const seen = (await first.read('operator.doubts.list', undefined)) as { items: Doubt[] } | null;
      let released = 0;
      for (const doubt of seen?.items ?? []) {
        if (doubt.parkedReason === null || !doubt.absenceProved) continue;
        const { withdrawalId, fence, revision } = doubt;
        const resolutionId = input.uuid();
        const proposal = { resolutionId, withdrawalId, deed: 'release', fence, revision, reason: 'absence is proved' };
        await first.mutate('release', { procedure: 'operator.doubts.propose', input: proposal });
        const call = { procedure: 'operator.doubts.confirm', input: { resolutionId } };
        // Newer evidence since then refuses it, and the next look begins anew.
        const answer = await second.mutate('release', call);
        if (answer.kind === 'released') released += 1;
      }
      return released;
    },
  };
}
