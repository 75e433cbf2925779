import { appendFileSync, readFileSync } from 'node:fs';

/** The places where a crash hurts most, in the order in which a withdrawal meets them. */
export const FAULT_POINTS = [
  'C1', // before the row is inserted
  'C2', // after the acceptance is committed
  'C3', // before the job is enqueued
  'C4', // after the job is enqueued
  'C5', // after the claim in Redis
  'C6', // after the intent is committed, before the first byte
  'C7', // the bytes are sent
  'C8', // the answer is received and not yet written
  'C9', // the result is written
  'C10', // before the job completes
  'W1', // webhook: the signature is verified
  'W2', // webhook: the event is stored
  'W3', // webhook: the event is applied
  'R1', // resolver: a new fence is taken
  'R2', // resolver: the look-up is answered and nothing written
  'R3', // resolver: before a resend
  'R4', // resolver: the decision is written
  'I1', // indexer: before a block is inserted
  'I2', // indexer: before the cursor moves
  'I3', // indexer: after the commit
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

export type FaultDeed = 'kill' | 'stop' | 'throw';

export interface FaultRule {
  readonly point: FaultPoint;
  readonly deed: FaultDeed;
  /** How long a stopped process sleeps; nothing inside it moves meanwhile. */
  readonly stopMs: number;
  /** Which visit strikes, counted from 1; null is every visit. */
  readonly visit: number | null;
}

/** What a point does when it is told to throw. Nobody catches it by name. */
export class FaultPointError extends Error {
  override readonly name = 'FaultPointError';
}

interface ArmedFaults {
  readonly rules: readonly FaultRule[];
  readonly file: string | null;
  readonly visits: Map<FaultPoint, number>;
}

const SLOT = Symbol.for('cryptoex.fault-points');
const holder: typeof globalThis & { [SLOT]?: ArmedFaults } = globalThis;

const DONE: Promise<void> = Promise.resolve();

/** Marks that the code has come here. Costs one look at a variable when no fault is armed. */
export function reachFaultPoint(point: FaultPoint): Promise<void> {
  const armed = holder[SLOT];
  return armed === undefined ? DONE : strike(armed, point);
}

/**
 * Arms the faults named in the environment; called once, by entry files, before anything else runs.
 *
 * @param text rules such as `C8:kill@1,C5:stop=3000,C9:throw`; a bare `*` only records what is reached
 * @throws Error outside demo and test mode, and on a rule that names no point or deed
 */
export function armFaultPoints(input: {
  readonly text: string | null;
  readonly file: string | null;
  readonly allowed: boolean;
}): void {
  if (input.text === null) return;
  if (!input.allowed) throw new Error('FAULT_POINTS are refused outside demo and test mode');
  holder[SLOT] = { rules: parseFaultRules(input.text), file: input.file, visits: new Map() };
}

/** Puts the points to rest again, for tests. */
export function disarmFaultPoints(): void {
  delete holder[SLOT];
}

/** @throws Error on a rule that names no point or deed */
export function parseFaultRules(text: string): readonly FaultRule[] {
  return text
    .split(',')
    .map((rule) => rule.trim())
    .filter((rule) => rule !== '' && rule !== '*')
    .map(parseFaultRule);
}

function parseFaultRule(text: string): FaultRule {
  const parts = /^([A-Z][0-9]+):(kill|throw|stop=([0-9]+))(?:@([0-9]+))?$/.exec(text);
  const point = FAULT_POINTS.find((name) => name === parts?.[1]);
  const deed = parts?.[2]?.split('=')[0];
  if (parts === null || point === undefined) throw new Error(`FAULT_POINTS: no such rule: ${text}`);
  if (deed !== 'kill' && deed !== 'throw' && deed !== 'stop') throw new Error(`FAULT_POINTS: no such deed: ${text}`);
  const visit = parts[4] === undefined ? null : Number.parseInt(parts[4], 10);
  return { point, deed, stopMs: Number.parseInt(parts[3] ?? '0', 10), visit };
}

function strike(armed: ArmedFaults, point: FaultPoint): Promise<void> {
  const visit = (armed.visits.get(point) ?? 0) + 1;
  armed.visits.set(point, visit);
  const rule = armed.rules.find((one) => one.point === point && (one.visit === null || one.visit === visit));
  // Before the deed and synchronously: a kill must not lose the line that says where it struck.
  if (armed.file !== null) {
    appendFileSync(armed.file, `${JSON.stringify({ point, visit, pid: process.pid, deed: rule?.deed ?? null })}\n`);
  }
  if (rule === undefined) return DONE;
  if (rule.deed === 'throw') return Promise.reject(new FaultPointError(`fault point ${point}`));
  if (rule.deed === 'kill') process.kill(process.pid, 'SIGKILL');
  // A blocked event loop renews no lock, reads no socket and runs no timer: a stopped process, seen from outside.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, rule.deed === 'kill' ? 1_000 : rule.stopMs);
  return DONE;
}

/** The points that a file of reached points names, each once. */
export function readReachedPoints(file: string): ReadonlySet<string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return new Set(lines.map((line) => /"point":"([A-Z][0-9]+)"/.exec(line)?.[1] ?? ''));
}
