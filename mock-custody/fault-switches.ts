import { randomUUID } from 'node:crypto';
import { type Fault, type FaultOrder, type FaultPoint, faultOrder, faultPoints } from './faults/fault-kinds.ts';
import { createDice } from './faults/seeded-dice.ts';
import type { Database } from './store/custody-database.ts';

export type FaultSwitches = {
  set(order: FaultOrder): Promise<Fault>;
  list(): Fault[];
  remove(id: string): Promise<boolean>;
  clear(): Promise<void>;
  /** The first fault that strikes here, counted and written to the log; undefined as a rule, and then at no cost. */
  take(point: FaultPoint, target: { externalId?: string | undefined }): Promise<Fault | undefined>;
};

/** Faults in the order they were set. Kept in the database: a killed provider is as broken when it comes back. */
export async function loadFaultSwitches(deps: { database: Database }): Promise<FaultSwitches> {
  const { database } = deps;
  const rows = await database.query<{
    id: string;
    settings: unknown;
    remaining: number | null;
    applied: number;
    created_at: Date;
  }>('select id, settings, remaining, applied, created_at from fault order by seq');
  let faults: Fault[] = rows.rows.map((row) => ({
    ...faultOrder.parse(row.settings),
    id: row.id,
    remaining: row.remaining,
    applied: row.applied,
    createdAtMs: row.created_at.getTime(),
  }));
  const dice = new Map<string, () => number>();

  function roll(fault: Fault): number {
    const die = dice.get(fault.id) ?? createDice(fault.seed);
    dice.set(fault.id, die);
    return die();
  }

  function strikes(fault: Fault, point: FaultPoint, externalId: string | undefined): boolean {
    if (faultPoints[fault.kind] !== point || fault.remaining === 0) return false;
    if (fault.externalId !== undefined && fault.externalId !== externalId) return false;
    if (fault.forMs !== undefined && Date.now() > fault.createdAtMs + fault.forMs) return false;
    return fault.share === undefined || roll(fault) < fault.share;
  }

  return {
    async set(order) {
      const once =
        order.count === undefined &&
        order.share === undefined &&
        order.externalId === undefined &&
        order.forMs === undefined;
      const remaining = order.count ?? (once ? 1 : null);
      const fault: Fault = { ...order, id: `flt_${randomUUID()}`, remaining, applied: 0, createdAtMs: Date.now() };
      await database.query('insert into fault (id, kind, settings, remaining) values ($1, $2, $3, $4)', [
        fault.id,
        fault.kind,
        JSON.stringify(order),
        remaining,
      ]);
      faults.push(fault);
      return fault;
    },
    list: () => faults.map((fault) => ({ ...fault })),
    async remove(id) {
      const found = faults.some((fault) => fault.id === id);
      faults = faults.filter((fault) => fault.id !== id);
      await database.query('delete from fault where id = $1', [id]);
      return found;
    },
    async clear() {
      faults = [];
      await database.query('delete from fault');
    },
    async take(point, target) {
      const fault = faults.find((candidate) => strikes(candidate, point, target.externalId));
      if (fault === undefined) return undefined;
      // Counted at once, so that two requests at the same moment never share the last one.
      if (fault.remaining !== null) fault.remaining -= 1;
      fault.applied += 1;
      await database.query(
        `with counted as (update fault set remaining = remaining - 1, applied = applied + 1 where id = $1)
         insert into transfer_log (custody_at, kind, external_id, details) values (custody_now(), 'fault', $2, $3)`,
        [fault.id, target.externalId ?? null, JSON.stringify({ faultId: fault.id, fault: fault.kind })],
      );
      return fault;
    },
  };
}
