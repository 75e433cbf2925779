import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAddress, type Hex } from 'viem';
import type { FaultPoint } from '#server/fault-points.ts';
import { checkBooks } from '../checker/check-books.ts';
import { gatherLedger } from '../checker/gather-ledger.ts';
import type { Violation } from '../checker/violation.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Customer } from '../workload/open-customers.ts';
import type { Cell, Provider } from './cell.ts';
import type { Stage } from './stage.ts';

export interface CellResult {
  readonly cell: Cell;
  /** The point really threw, stopped or killed. */
  readonly struck: boolean;
  readonly status: string;
  readonly transfers: number;
  readonly paid: boolean;
  /** Null when everything is as it must be. */
  readonly broken: string | null;
}

// Not-after, quiet period and back-offs of the proof's preset, on a busy machine.
const ENDED_WITHIN_MS = 75_000;
const STRUCK_WITHIN_MS = 20_000;
const STOP_MS = 3_000;
const LOOK_EVERY_MS = 200;
const ENDS: readonly string[] = ['completed', 'failed', 'cancelled', 'rejected', 'refused'];
const WEB: ReadonlySet<FaultPoint> = new Set(['C1', 'C2', 'C3', 'C4', 'W1', 'W2', 'W3']);
// The wake-up is there for whichever relay comes first, and the crash must meet web's.
const RELAYED_BY_WEB: ReadonlySet<FaultPoint> = new Set(['C3', 'C4']);
const AMOUNT_MINOR = 20_000_000_000_000_000n;

/** One withdrawal that meets one crash, followed to its end and counted in custody's log, on the chain and in the books. */
export async function runCell(
  deps: { stage: Stage; customer: Customer; random: SeededRandom },
  cell: Cell,
): Promise<CellResult> {
  const { stage, random } = deps;
  const name = WEB.has(cell.point) ? 'web' : 'worker';
  const key = random.uuid();
  const address = getAddress(`0x${Array.from({ length: 40 }, () => random.int(0, 15).toString(16)).join('')}`);
  for (const order of [...ordersOf(cell.provider), ...silenceFor(cell.point)])
    await stage.custody.setFault({ ...order, externalId: key });
  const already = countStrikes(stage.faultPointsFile, cell.point);
  const isStruck = () => countStrikes(stage.faultPointsFile, cell.point) > already;
  const isRelay = RELAYED_BY_WEB.has(cell.point);
  if (isRelay) await stage.stop('worker');
  await startWithRule(stage, name, cell);

  const input = { asset: 'ETH', network: 'ethereum', address, memo: null, amount: '0.02', feeMode: 'on_top' };
  const requested = requestUntilKnown(deps, stage, name, { key, input });
  await waitFor(STRUCK_WITHIN_MS, async () => isStruck() || (await findStatus(stage, key)) === 'completed');
  if (cell.redis === 'flushed') await stage.flushRedis();
  if (isRelay) await stage.start('worker', { FAULT_POINTS: '*' });
  await requested;

  let status = 'absent';
  await waitFor(ENDED_WITHIN_MS, async () => {
    if (!(await stage.isRunning(name))) await stage.start(name, { FAULT_POINTS: '*' }).catch(() => undefined);
    await stage.askChain('anvil_mine', ['0x3']);
    status = (await findStatus(stage, key)) ?? 'absent';
    return ENDS.includes(status);
  });
  await stage.custody.clearFaults();
  const created = (await stage.custody.readLog()).filter(
    ({ kind, externalId }) => kind === 'created' && externalId === key,
  );
  const balance = BigInt(await stage.askChain<Hex>('eth_getBalance', [address, 'latest']));
  const books = checkBooks(await gatherLedger(stage))[0];
  const seen = { status, transfers: created.length, paidMinor: balance, books };
  return { cell, struck: isStruck(), status, transfers: created.length, paid: balance > 0n, broken: judge(cell, seen) };
}

function judge(
  cell: Cell,
  seen: { status: string; transfers: number; paidMinor: bigint; books: Violation | undefined },
): string | null {
  const expected = cell.provider === 'refuses' ? 'failed' : 'completed';
  const paidMinor = expected === 'completed' ? AMOUNT_MINOR : 0n;
  if (seen.status !== expected) return `ended as ${seen.status}, not as ${expected}`;
  if (seen.transfers !== (expected === 'completed' ? 1 : 0)) return `${seen.transfers} transfers at custody`;
  if (seen.paidMinor !== paidMinor) return `${seen.paidMinor} arrived, not ${paidMinor}`;
  return seen.books === undefined ? null : `${seen.books.promise}: ${seen.books.detail}`;
}

function ordersOf(provider: Provider): ({ kind: string } & Record<string, unknown>)[] {
  switch (provider) {
    case 'ok':
      return [];
    case 'executes then drops':
      return [{ kind: 'execute_then_drop', count: 1 }];
    case 'executes late':
      return [{ kind: 'execute_late', count: 1, delayMs: 800 }];
    case 'refuses':
      return [{ kind: 'reject', count: 1 }];
    case '502':
      return [{ kind: 'error_before', count: 1, status: 502 }];
    case 'lagging look-up':
      return [
        { kind: 'execute_then_drop', count: 1 },
        { kind: 'lookup_lag', count: 5, delayMs: 2_500 },
      ];
  }
}

/** An event that comes first ends the doubt, and the resolver would never be met. */
function silenceFor(point: FaultPoint): { kind: string; count: number }[] {
  return point.startsWith('R') ? [{ kind: 'webhook_lost', count: 20 }] : [];
}

/** The indexer comes by its points before the process is ready, so its crash may be a start that fails. */
async function startWithRule(stage: Stage, name: string, { point, deed }: Cell): Promise<void> {
  await stage.stop(name);
  const visit = point.startsWith('I') ? 4 : 1;
  const rule = `${point}:${deed === 'stop' ? `stop=${STOP_MS}` : deed}@${visit}`;
  try {
    await stage.start(name, { FAULT_POINTS: rule });
  } catch (error) {
    if (await stage.isRunning(name)) throw error;
    await stage.start(name, { FAULT_POINTS: '*' });
  }
}

async function requestUntilKnown(
  { customer }: { customer: Customer },
  stage: Stage,
  name: string,
  { key, input }: { key: string; input: object },
): Promise<void> {
  await waitFor(ENDED_WITHIN_MS, async () => {
    const { status } = await customer.client.mutate('request', { procedure: 'withdrawal.request', key, input });
    if (status !== null && status < 500 && status !== 429) return true;
    if (name === 'web' && !(await stage.isRunning(name)))
      await stage.start(name, { FAULT_POINTS: '*' }).catch(() => undefined);
    return false;
  });
}

async function findStatus(stage: Stage, key: string): Promise<string | null> {
  const [row] = await stage.ask<{ status: string }>('select status from withdrawals where idempotency_key = $1', [key]);
  return row?.status ?? null;
}

function countStrikes(file: string, point: FaultPoint): number {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes(`"point":"${point}"`) && !line.includes('"deed":null')).length;
}

/** Looks until it is so or the time is over; what it came to is judged afterwards. */
async function waitFor(withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo()) && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
}
