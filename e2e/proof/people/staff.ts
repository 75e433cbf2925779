import { randomUUID } from 'node:crypto';
import type { Books } from '../proof-world.ts';
import { type ApiClient, createApiClient } from '../workload/api-client.ts';
import type { Answer, History } from '../workload/history.ts';
import { type Colleague, openTeam } from './team.ts';

/** People on duty, who end what no machine may end, by the doors that real ones use: one proposes, another confirms. */
export interface Staff {
  /** Comes by once: whatever waits for two people and may be ended is ended. */
  comeBy(): Promise<void>;
  /** Says yes or no to a request that waits, as often as it needs. */
  decide(withdrawalId: string, decision: 'approve' | 'reject'): Promise<boolean>;
  /** How often each deed was done. */
  deeds(): Readonly<Record<string, number>>;
}

const REASON = 'looked at it together';
// What a lost memory or an unlucky row of failures parked goes on by the machine's own rule; the rest is released.
const GOES_ON: ReadonlySet<string> = new Set(['bytes_unknown', 'attempts_exhausted']);

interface Doubt {
  readonly withdrawalId: string;
  readonly fence: string;
  readonly revision: string;
  readonly parkedReason: string | null;
  readonly absenceProved: boolean;
}

interface Waiting {
  readonly withdrawalId: string;
  readonly payloadSha256: string;
  readonly revision: string;
  readonly approvalsRequired: number;
  readonly approvals: readonly { readonly approverId: string }[];
}

/** @param input.uuid names each proposal, so that pressing twice proposes once */
export async function openStaff(
  deps: { world: Books; history: History },
  input: { teamSize: number; uuid: () => string },
): Promise<Staff> {
  const { webUrl, history } = { webUrl: deps.world.stack.urls.web, history: deps.history };
  const first = createApiClient({ webUrl, cookie: await signInToDemo(webUrl, 'olga'), history });
  const team = await openTeam(deps, { count: input.teamSize });
  const done: Record<string, number> = {};
  const count = (deed: string) => {
    done[deed] = (done[deed] ?? 0) + 1;
  };

  /** The second person: whoever of the team has a code that was not used yet. */
  async function confirm(
    procedure: string,
    subject: object,
    not: ReadonlySet<string> = new Set(),
  ): Promise<Answer | null> {
    const found = findCode(team, not);
    if (found === null) return null;
    const stepUp = { kind: 'totp', code: found.code };
    return await found.colleague.client.mutate('people', { procedure, input: { ...subject, stepUp } });
  }

  async function propose(procedure: string, subject?: object): Promise<boolean> {
    return (await first.mutate('people', { procedure, input: subject })).status === 200;
  }

  async function endLookUpOnly(): Promise<void> {
    const seen = (await first.read('operator.reconciliation.mode', undefined)) as { mode: string } | null;
    if (seen?.mode !== 'look_up_only') return;
    if (!(await propose('operator.reconciliation.proposeEndOfLookUpOnly', { deedId: randomUUID() }))) return;
    const ended = await confirm('operator.reconciliation.confirmEndOfLookUpOnly', {});
    if (ended?.status === 200) count('look-up only ended');
  }

  async function closeCases(): Promise<void> {
    for (const { caseId, kind, revision } of await readItems<{ caseId: string; kind: string; revision: string }>(
      first,
      'operator.cases.list',
      { cursor: null, limit: 100, open: true },
    )) {
      if (!(await propose('operator.cases.proposeClose', { caseId, revision, reason: REASON, deedId: randomUUID() })))
        continue;
      const closed = await confirm('operator.cases.confirmClose', { caseId });
      if (closed?.status === 200) count(`case ${kind}`);
    }
  }

  async function resumePauses(): Promise<void> {
    const switches = await readItems<{ switchId: string; reason: string; resumedAt: string | null }>(
      first,
      'operator.switches.list',
    );
    for (const { switchId, reason } of switches.filter(({ resumedAt }) => resumedAt === null)) {
      if (!(await propose('operator.switches.proposeResume', { switchId, deedId: randomUUID() }))) continue;
      const resumed = await confirm('operator.switches.confirmResume', { switchId });
      if (resumed?.status === 200) count(`pause ${reason}`);
    }
  }

  async function settleDoubts(): Promise<void> {
    for (const doubt of await readItems<Doubt>(first, 'operator.doubts.list')) {
      const { withdrawalId, fence, revision, parkedReason, absenceProved } = doubt;
      if (parkedReason === null) continue;
      const deed = GOES_ON.has(parkedReason) ? 'hand_back' : 'release';
      if (!absenceProved && parkedReason !== 'bytes_unknown') continue;
      const resolutionId = input.uuid();
      const proposal = { resolutionId, withdrawalId, deed, fence, revision, reason: REASON };
      if (!(await propose('operator.doubts.propose', proposal))) continue;
      // Newer evidence since then refuses it, and the next look begins anew.
      const confirmed = await confirm('operator.doubts.confirm', { resolutionId });
      if (confirmed?.status === 200) count(`${parkedReason} ${deed === 'release' ? 'released' : 'handed back'}`);
    }
  }

  return {
    deeds: () => done,
    async comeBy() {
      await endLookUpOnly();
      await closeCases();
      await resumePauses();
      await settleDoubts();
    },
    async decide(withdrawalId, decision) {
      const waiting = (await readItems<Waiting>(first, 'operator.approvals.list')).find(
        (one) => one.withdrawalId === withdrawalId,
      );
      if (waiting === undefined) return false;
      const { payloadSha256, revision, approvals, approvalsRequired } = waiting;
      const subject = { withdrawalId, payloadSha256, revision, reason: REASON };
      const spoken = new Set(approvals.map(({ approverId }) => approverId));
      for (let said = approvals.length; said < (decision === 'approve' ? approvalsRequired : 1); said += 1) {
        const answer = await confirm(`operator.approvals.${decision}`, subject, spoken);
        if (answer?.status !== 200) return false;
      }
      count(`request ${decision === 'approve' ? 'approved' : 'rejected'}`);
      return true;
    },
  };

  function findCode(
    all: readonly Colleague[],
    not: ReadonlySet<string>,
  ): { colleague: Colleague; code: string } | null {
    for (const colleague of all) {
      if (not.has(colleague.userId)) continue;
      const code = colleague.nextCode();
      if (code !== null) return { colleague, code };
    }
    return null;
  }
}

async function readItems<Item>(client: ApiClient, procedure: string, question?: object): Promise<readonly Item[]> {
  return ((await client.read(procedure, question)) as { items: Item[] } | null)?.items ?? [];
}

async function signInToDemo(webUrl: string, who: string): Promise<string> {
  const answer = await fetch(`${webUrl}/api/demo/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: webUrl },
    body: JSON.stringify({ who }),
  });
  if (!answer.ok) throw new Error(`${who} could not sign in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}
