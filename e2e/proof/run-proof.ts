import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Measured } from './acts/act.ts';
import { type PlayedAct, playActs } from './acts/play-acts.ts';
import { gatherFacts } from './checker/gather-facts.ts';
import { judgeRun } from './judge-run.ts';
import { mendWorld } from './nemesis/deeds.ts';
import { createFaultPointRules } from './nemesis/fault-point-rules.ts';
import { type Keeper, keepAlive } from './nemesis/keep-alive.ts';
import { chooseFaults, createNemesis } from './nemesis/run-nemesis.ts';
import { goOnDuty } from './people/go-on-duty.ts';
import { openStaff } from './people/staff.ts';
import { divideWithdrawals, PHASES } from './phases.ts';
import type { ProofResult } from './proof-result.ts';
import { NO_FAULT_POINTS, type ProofWorld } from './proof-world.ts';
import { createSeededRandom } from './seeded-random.ts';
import { settle } from './settle.ts';
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

// With the staff fewer than the door lets sign in within a minute.
const CUSTOMERS = 16;
const TEAM_SIZE = 10;
// Not-after, quiet period and the longest back-off of the proof's preset, twice, on a busy machine.
const SENT_WITHIN_MS = 60_000;
const ENDED_WITHIN_MS = 120_000;
// Prices go stale after ten minutes, and a stale price sends requests to people.
const PRICE_EVERY_MS = 20_000;
const PROGRESS_EVERY_MS = 10_000;
// Long enough for what was clicked last to be sent, looked up and sent again under faults.
const NEMESIS_STAYS_MS = 8_000;
// The client believes what custody declared for 5 s.
const DECLARATION_MS = 5_500;

/**
 * One run: customers click while the nemesis breaks things, under one kind of provider after the other; then what chance brings too
 * seldom is played as written; then everything is mended and judged.
 */
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
  const [smallCustomer] = await openCustomers({ world, history }, { count: 1, tier: 'standard' });
  const [firstCustomer] = customers;
  if (firstCustomer === undefined || smallCustomer === undefined) throw new Error('nobody signed up');
  const staff = await openStaff({ world, history }, { teamSize: TEAM_SIZE, uuid: random.branch('staff').uuid });
  log(`${customers.length + 1} customers are signed in, and the staff`);
  const refreshPrices = () => world.ask('update prices set as_of = protocol_now()').catch(() => undefined);
  await refreshPrices();
  const prices = setInterval(() => void refreshPrices(), PRICE_EVERY_MS);
  const workload = (phase: string, withdrawals: number, on: { onClick: () => void; onLastClick?: () => void }) =>
    runWorkload(
      { customers, random: random.branch(`workload ${phase}`), history, signal },
      { withdrawals, perSecond: input.perSecond, phase, ...on },
    );

  // Whoever finds nothing must find the newest transfer of ours; the very first has none before it.
  await workload('quiet', 3, { onClick: () => undefined });
  await settle(world, { until: 'sent', withinMs: SENT_WITHIN_MS, signal });

  const rules = createFaultPointRules(random.branch('fault points'));
  const keeper = keepAlive(world, { nextRules: choice.faultPoints ? rules : () => NO_FAULT_POINTS, log });
  const nemesis = createNemesis({ world, keeper, random: random.branch('nemesis') }, { choice, signal, log });
  const duty = goOnDuty(staff, { log });
  let clicks = 0;
  const progress = setInterval(() => {
    const deeds = [...nemesis.deeds().values()].reduce((sum, count) => sum + count, 0);
    const byPeople = Object.values(staff.deeds()).reduce((sum, count) => sum + count, 0);
    const { starts } = keeper.counts();
    log(
      `${clicks} of ${input.withdrawals} clicks, ${deeds} deeds of the nemesis, ${starts} starts, ${byPeople} by people`,
    );
  }, PROGRESS_EVERY_MS);

  const counts = divideWithdrawals(input.withdrawals);
  for (const [index, { profile }] of PHASES.entries()) {
    const withdrawals = counts[index] ?? 0;
    if (withdrawals === 0 || signal.aborted) continue;
    const began = performance.now();
    await becomeProvider(world, keeper, profile, index > 0);
    nemesis.begin();
    // Those who still wait for their answer are not kept waiting by new faults for ever.
    let rest: Promise<void> = Promise.resolve();
    const onLastClick = () => {
      rest = sleep(NEMESIS_STAYS_MS).then(() => nemesis.pause());
    };
    const onClick = () => {
      clicks += 1;
    };
    await workload(profile, withdrawals, { onClick, onLastClick });
    await rest;
    const clicked = performance.now();
    const open = await settle(world, { until: 'sent', withinMs: SENT_WITHIN_MS, signal });
    log(
      `${profile}: ${withdrawals} clicks in ${seconds(clicked - began)}, all sent ${seconds(performance.now() - clicked)} later` +
        (open.length === 0
          ? ''
          : `, but ${open.length}: ${open.map(({ parkedReason, waitReason }) => parkedReason ?? waitReason)}`),
    );
  }
  await mendWorld({ world });
  await keeper.disarm();
  log('everything is mended');
  const measured: Measured[] = [];
  let acts: readonly PlayedAct[] = [];
  if (choice.acts.length > 0 && !signal.aborted) {
    await becomeProvider(world, keeper, 'replays', true);
    const measure = (name: string, ms: number, promisedMs: number) =>
      measured.push({ name, ms: Math.round(ms), promisedMs });
    const tools = {
      world,
      keeper,
      staff,
      customers: [firstCustomer, ...customers.slice(1)] as const,
      smallCustomer,
      history,
    };
    acts = await playActs({ tools: { ...tools, random: random.branch('acts'), measure }, log, signal }, choice.acts);
    await mendWorld({ world });
  }
  log('waiting for the ends');
  const left = await settle(world, { until: 'ended', withinMs: ENDED_WITHIN_MS, signal });
  await duty.stop();
  clearInterval(progress);
  clearInterval(prices);
  const facts = await gatherFacts(world, { history, customers: [...customers, smallCustomer], wallet });
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
    acts,
    measured,
    unresolved: left.filter(({ parkedReason }) => parkedReason === null),
    byPeople: staff.deeds(),
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

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
