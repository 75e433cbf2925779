import { LEGAL_TRANSITIONS } from '#domain/withdrawal-transitions.ts';
import { FAULT_POINTS } from '#server/fault-points.ts';
import type { FaultChoice } from '../nemesis/run-nemesis.ts';
import type { Facts } from './facts.ts';

/** Every move there is: one that no run ever makes is a door that nobody needs. */
const TRANSITIONS = Object.entries(LEGAL_TRANSITIONS).flatMap(([from, next]) => next.map((to) => `${from} ${to}`));

// Struck by acts and by the deed that moves custody's clock.
const PLAYED_FAULTS = ['clock_offset', 'forget_since', 'restore_copy', 'sim_stuck', 'sim_reject'];

interface Reached {
  readonly what: string;
  readonly reached: number;
  readonly of: number;
  readonly missing: readonly string[];
}

export interface Reach {
  readonly faultPoints: Reached & { readonly struck: number };
  readonly transitions: Reached;
  readonly custodyFaults: Reached;
}

/** What a run came by. `struck`: points that threw, stopped or killed, and not only were passed. */
export function measureReach(input: { facts: Facts; pointsFile: string; choice: FaultChoice }): Reach {
  const lines = input.pointsFile.split('\n').filter(Boolean);
  const points = new Set<string>();
  const struck = new Set<string>();
  for (const line of lines) {
    const point = /"point":"([A-Z][0-9]+)"/.exec(line)?.[1];
    if (point === undefined) continue;
    points.add(point);
    if (!line.includes('"deed":null')) struck.add(point);
  }
  const moves = new Set(input.facts.history.map(({ from, to }) => `${from} ${to}`));
  const compare = (what: string, wanted: readonly string[], had: { has(name: string): boolean }): Reached => {
    const missing = wanted.filter((name) => !had.has(name));
    return { what, reached: wanted.length - missing.length, of: wanted.length, missing };
  };
  const kinds = [...input.choice.custodyFaults.map(({ kind }) => kind), ...PLAYED_FAULTS];
  return {
    faultPoints: { ...compare('fault point', FAULT_POINTS, points), struck: struck.size },
    transitions: compare('transition', TRANSITIONS, moves),
    custodyFaults: compare('fault of custody', kinds, countFaults(input.facts)),
  };
}

/** How often custody really broke something, by kind, from its own log. */
export function countFaults(facts: Facts): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { kind, details } of facts.custodyLog) {
    if (kind !== 'fault') continue;
    const fault = String(details.fault);
    counts.set(fault, (counts.get(fault) ?? 0) + 1);
  }
  return counts;
}

/** How often each point threw, stopped or killed. */
export function countStrikes(pointsFile: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, point, deed] of pointsFile.matchAll(/"point":"([A-Z][0-9]+)".*?"deed":"([a-z]+)"/g)) {
    const name = `${point} ${deed}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
