import pg from 'pg';
import type { CustodySettings } from '../custody-settings.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import type { HotWalletFunds } from '../hot-wallet-funds.ts';
import type { PaymentNetwork } from '../networks/payment-network.ts';
import type { Database } from '../store/custody-database.ts';
import { type Fault, type FaultOrder, faultPoints } from './fault-kinds.ts';

// Past the not-after by more than a tick of the Date header, whose unit is a second.
const PAST_NOT_AFTER_MS = 2_000;
const REFUSE_MS = 1_000;

/** Faults that are deeds, not conditions: done when they are ordered. Null for every other kind. */
export async function strikeAtOnce(
  deps: {
    database: Database;
    settings: CustodySettings;
    faults: FaultSwitches;
    /** Stops listening for a while, once the order itself was answered. */
    refuseConnections: (forMs: number) => void;
    memoryLost: () => void;
    networks: readonly PaymentNetwork[];
    funds: HotWalletFunds;
  },
  order: FaultOrder,
): Promise<Fault | null> {
  if (faultPoints[order.kind] !== 'at_once') return null;
  const set = await deps.faults.set({ ...order, count: 1 });
  const fault = (await deps.faults.take('at_once', {})) ?? set;
  switch (order.kind) {
    case 'refuse_connection':
      deps.refuseConnections(order.forMs ?? REFUSE_MS);
      return fault;
    case 'clock_offset':
      await deps.settings.setOffsetMs(order.offsetMs ?? 0);
      return fault;
    case 'forget_since':
    case 'restore_copy':
      await loseMemory(deps, order, order.kind);
      return fault;
    default:
      throw new Error(`the fault ${order.kind} is no deed`);
  }
}

async function loseMemory(
  deps: {
    database: Database;
    settings: CustodySettings;
    memoryLost: () => void;
    networks: readonly PaymentNetwork[];
    funds: HotWalletFunds;
  },
  order: FaultOrder,
  kind: 'forget_since' | 'restore_copy',
): Promise<void> {
  const { database, settings } = deps;
  const since = order.since ?? new Date(settings.now().getTime() - order.delayMs).toISOString();
  // Closed first: nothing may be created while the memory goes.
  await settings.setOutage({ closedUntilMs: Number.MAX_SAFE_INTEGER, rejoinAtMs: null });
  const lost = await forget(database, kind, since);
  const nowMs = settings.now().getTime();
  for (const { name } of deps.networks) await deps.funds.recount(name);
  // By default we come back only when nothing we forgot may be sent again: past every not-after.
  const latestMs = lost?.getTime() ?? nowMs;
  const closedUntilMs =
    order.downtimeMs === undefined ? Math.max(nowMs, latestMs) + PAST_NOT_AFTER_MS : nowMs + order.downtimeMs;
  // A restored copy shows its old state for a moment before the signer's journal is read back in.
  const rejoinAtMs = kind === 'restore_copy' ? closedUntilMs + order.delayMs : null;
  await settings.setOutage({ closedUntilMs, rejoinAtMs });
  deps.memoryLost();
}

// A request that is being stored at this moment may hold what we delete, and wait for what we hold; Postgres then ends one
// of us, and it may be us.
const DEADLOCK = '40P01';
const ATTEMPTS_MAX = 5;

async function forget(
  database: Database,
  kind: 'forget_since' | 'restore_copy',
  since: string,
  attempt = 1,
): Promise<Date | null> {
  const sql =
    kind === 'forget_since' ? "select forget_since($1, 'forgotten') as latest" : 'select restore_copy($1) as latest';
  try {
    const lost = await database.query<{ latest: Date | null }>(sql, [since]);
    return lost.rows[0]?.latest ?? null;
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.code === DEADLOCK && attempt < ATTEMPTS_MAX)
      return forget(database, kind, since, attempt + 1);
    throw new Error(`${kind} could not be carried out`, { cause });
  }
}
