import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { gatherFacts } from './checker/gather-facts.ts';
import { judgeRun } from './judge-run.ts';
import { mendWorld } from './nemesis/deeds.ts';
import { createFaultPointRules } from './nemesis/fault-point-rules.ts';
import { type Keeper, keepAlive } from './nemesis/keep-alive.ts';
import { chooseFaults, createNemesis } from './nemesis/run-nemesis.ts';
import { openStaff } from './people/staff.ts';
import { divideWithdrawals, PHASES } from './phases.ts';
import type { ProofResult } from './proof-result.ts';
import { NO_FAULT_POINTS, type ProofWorld } from './proof-world.ts';
import { createSeededRandom } from './seeded-random.ts';
import { endStopsByPeople, settle } from './settle.ts';
import { fillHotWallet } from './workload/fill-hot-wallet.ts';
import { createHistory } from './workload/history.ts';
import { openCustomers } from './workload/open-customers.ts';
import { runWorkload } from './workload/run-workload.ts';

export interface ProofInput {
  readonly withdrawals: number;
  readonly seed: number;
  readonly faults: string;
  readonly perSecond: number;
}

const CUSTOMERS = 12;
// Not-after, quiet period and the longest back-off of the proof's preset, twice, on a busy machine.
const SENT_WITHIN_MS = 60_000;
const ENDED_WITHIN_MS = 120_000;
// Prices go stale after ten minutes, and a stale price sends requests to people.
const PRICE_EVERY_MS = 20_000;
// The client believes what custody declared for 5 s.
const DECLARATION_MS = 5_500;

/** One run: customers click while the nemesis breaks things, phase by phase; then everything is mended and judged. */
export async function runProof(
  deps: { world: ProofWorld; log: (line: string) => void; signal: AbortSignal },
  input: ProofInput,
): Promise<ProofResult> {
  const { world, log, signal } = deps;
  const startedAt = performance.now();
  const random = createSeededRandom(input.seed);
  const history = createHistory();
  const choice = chooseFaults(input.faults);
  const wallet = await fillHotWallet(world);
  const customers = await openCustomers({ world, history }, { count: CUSTOMERS });
  log(`${customers.length} customers are signed in`);
  const refreshPrices = () => world.ask('update prices set as_of = protocol_now()').catch(() => undefined);
  await refreshPrices();
  const prices = setInterval(() => void refreshPrices(), PRICE_EVERY_MS);
  const workload = (phase: string, withdrawals: number, onClick: () => void) =>
    runWorkload(
      { customers, random: random.branch(`workload ${phase}`), history, signal },
      { withdrawals, perSecond: input.perSecond, phase, onClick },
    );

  // Whoever finds nothing must find the newest transfer of ours; the very first has none before it.
  await workload('quiet', 3, () => undefined);
  await settle(world, { until: 'sent', withinMs: SENT_WITHIN_MS, signal });

  const rules = createFaultPointRules(random.branch('fault points'));
  const keeper = keepAlive(world, { nextRules: choice.faultPoints ? rules : () => NO_FAULT_POINTS, log });
  const nemesis = createNemesis({ world, keeper, random: random.branch('nemesis') }, { choice, signal, log });
  const staff = await openStaff({ webUrl: world.stack.urls.web, history, uuid: random.branch('staff').uuid });
  const byPeople: Record<string, number> = {};
  const count = (what: string, times: number) => {
    if (times > 0) byPeople[what] = (byPeople[what] ?? 0) + times;
  };
  const people = async () => {
    for (const [kind, closed] of Object.entries(await endStopsByPeople(world))) count(`case ${kind}`, closed);
    const [mode] = await world.ask<{ mode: string }>('select mode from protocol_settings');
    if (mode?.mode === 'look_up_only' && (await staff.endLookUpOnly())) count('look-up only ended by two', 1);
    const { released, handedBack } = await staff.settleDoubts();
    count('released by two', released);
    count('handed back by two', handedBack);
  };
  let clicks = 0;
  const progress = setInterval(() => {
    const faults = [...nemesis.deeds().values()].reduce((sum, count) => sum + count, 0);
    log(`${clicks} of ${input.withdrawals} clicks, ${faults} deeds of the nemesis, ${keeper.counts().starts} starts`);
  }, 10_000);
  const counts = divideWithdrawals(input.withdrawals);
  for (const [index, { profile }] of PHASES.entries()) {
    const withdrawals = counts[index] ?? 0;
    if (withdrawals === 0 || signal.aborted) continue;
    await becomeProvider(world, keeper, profile, index > 0);
    nemesis.begin();
    await workload(profile, withdrawals, () => {
      clicks += 1;
    });
    await nemesis.pause();
    await people();
    const open = await settle(world, { until: 'sent', withinMs: SENT_WITHIN_MS, signal, people });
    log(`${profile}: ${withdrawals} clicks, ${open.length} not sent yet`);
  }
  await mendWorld({ world });
  await keeper.disarm();
  log('everything is mended; waiting for the ends');
  const left = await settle(world, { until: 'ended', withinMs: ENDED_WITHIN_MS, signal, people });
  const unresolved = left.filter(({ parkedReason }) => parkedReason === null);
  clearInterval(progress);
  clearInterval(prices);
  const facts = await gatherFacts(world, { history, customers, wallet });
  await keeper.stop();
  return judgeRun({
    seed: input.seed,
    faultsChosen: input.faults,
    choice,
    history,
    facts,
    pointsFile: readFileSync(world.faultPointsFile, 'utf8'),
    deeds: nemesis.deeds(),
    network: countNetwork(world),
    unresolved,
    byPeople,
    processStarts: keeper.counts().starts,
    crashes: keeper.counts().crashes,
    durationMs: Math.round(performance.now() - startedAt),
  });
}

/** Custody becomes another kind of provider while nothing is under way, and our processes start again and ask it who it is. */
async function becomeProvider(world: ProofWorld, keeper: Keeper, profile: string, isChange: boolean): Promise<void> {
  await world.custody.setProfile(profile);
  if (!isChange) return;
  await Promise.all([keeper.restart('worker'), keeper.restart('worker-2'), sleep(DECLARATION_MS)]);
}

function countNetwork(world: ProofWorld): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [service, proxy] of Object.entries(world.proxies))
    for (const [deed, count] of Object.entries(proxy.counts())) if (count > 0) counts[`${service} ${deed}`] = count;
  return counts;
}
