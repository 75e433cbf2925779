import { findCommonBlock } from '#server/chain/find-common-block.ts';
import type { Db, Statement } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';
import type { RoomTools } from '#server/operator/room-tools.ts';

export interface HaltedNetwork {
  networkId: string;
  networkName: string;
  haltedAt: string;
  reason: string;
  /** The newest block that was read. */
  block: string;
  /** The newest kept block, below the one for which it was halted, on which the node agrees; null where that is not known. */
  agreedNumber: string | null;
  /** What one person proposed and nobody has confirmed. */
  proposal: {
    resumptionId: string;
    fromNumber: string;
    reason: string;
    proposedBy: string;
    proposedByName: string;
    proposedAt: string;
    /** Of the newest transfers above that block, no more than `LOOKED_AT_MAX`: those that are booked. They stay booked. */
    completed: number;
    credited: number;
    /** There are more transfers above it than were looked at. */
    hasMore: boolean;
  } | null;
}

/** Whoever names a block far down reads that there is more; every open page asks every few seconds. */
const LOOKED_AT_MAX = 5_000;

// It takes up to a dozen questions to the node, and every open page asks for it every few seconds.
const KEPT_MS = 30_000;

/** What each node was last asked for, so that all pages share one answer. */
const asked = new WeakMap<object, { halt: string; askedAtMs: number; agreed: Promise<string | null> }>();

/** The networks that are read no further until two people take them up again. */
export async function findHaltedNetworks(deps: {
  db: Db;
  room: Pick<RoomTools, 'chains'> | undefined;
}): Promise<{ networks: HaltedNetwork[] }> {
  const rows = await deps.db.query<HaltedRow>(findHaltedSql, []);
  const networks = rows.map(async (row) => ({
    networkId: row.network_id,
    networkName: row.name,
    haltedAt: row.halted_at.toISOString(),
    reason: row.halt_reason,
    block: row.block_number,
    agreedNumber: await findAgreed(deps, row),
    proposal: row.proposal,
  }));
  return { networks: await Promise.all(networks) };
}

async function findAgreed(
  deps: { db: Db; room: Pick<RoomTools, 'chains'> | undefined },
  row: HaltedRow,
): Promise<string | null> {
  const chain = deps.room?.chains?.find(({ networkId }) => networkId === row.network_id);
  if (chain === undefined) return null;
  const input = { networkId: row.network_id, below: Number(row.halted_for ?? row.block_number) };
  const halt = `${row.network_id} ${row.halted_at.toISOString()}`;
  const before = asked.get(chain.port);
  try {
    if (before?.halt === halt && Date.now() - before.askedAtMs < KEPT_MS) return await before.agreed;
    const agreed = findCommonBlock({ db: deps.db, chain: chain.port }, input).then(
      (number) => number?.toString() ?? null,
    );
    asked.set(chain.port, { halt, askedAtMs: Date.now(), agreed });
    return await agreed;
  } catch (error) {
    asked.delete(chain.port);
    // The page shows the halt whether or not the node answers.
    logger().warn('chain.common_block_unknown', { networkId: row.network_id, reason: String(error) });
    return null;
  }
}

interface HaltedRow {
  readonly network_id: string;
  readonly name: string;
  readonly halted_at: Date;
  readonly halt_reason: string;
  readonly halted_for: string | null;
  readonly block_number: string;
  readonly proposal: HaltedNetwork['proposal'];
}

const findHaltedSql: Statement = {
  name: 'find_halted_networks',
  text: `
    select c.network_id, n.name, c.halted_at, c.halt_reason, substring(c.halt_reason from 'block ([0-9]+)') as halted_for, c.block_number,
      (select json_build_object('resumptionId', r.id, 'fromNumber', r.from_number::text, 'reason', r.reason, 'proposedBy', r.proposed_by,
          'proposedByName', u.name, 'proposedAt', r.proposed_at,
          'completed', above.completed, 'credited', above.credited, 'hasMore', above.looked_at > ${LOOKED_AT_MAX})
        from chain_resumptions r join users u on u.id = r.proposed_by cross join lateral (
          select count(*) as looked_at,
            -- Each by itself, by its key: joined, all withdrawals would be read.
            count((select 1 from withdrawals w where w.id = e.withdrawal_id and w.completing_effect_id = e.id)) as completed,
            count((select 1 from deposits d where d.effect_id = e.id)) as credited
          from (select x.id, x.withdrawal_id from chain_effects x where x.network_id = c.network_id and x.block_number > r.from_number
            order by x.block_number desc limit ${LOOKED_AT_MAX + 1}) e) above
        where r.network_id = c.network_id and r.halted_at = c.halted_at and r.confirmed_at is null
          and r.proposed_at > protocol_now() - interval '1 hour'
        order by r.proposed_at desc limit 1) as proposal
    from chain_cursors c join networks n on n.id = c.network_id
    where c.halted_at is not null order by c.network_id`,
};
