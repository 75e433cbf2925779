import type { Db, Statement } from '#server/db/database.ts';

// More than any reorg that anybody has seen; what lies below is as good as never.
const WALKED_MAX = 1_000;
const ASKED_AT_ONCE = 10;

interface CreditedDeposit {
  readonly effect_id: string;
  readonly block_number: string;
  readonly block_hash: string;
  readonly transaction_hash: string;
}

/** What the deed asks of the chain: its reader's port has more. */
export interface PresentChain {
  header(number: number): Promise<{ readonly hash: string } | null>;
  transaction(hash: string): Promise<{ readonly receipt: { readonly succeeded: boolean } | null }>;
}

/**
 * The credited deposits that the node's chain shows no more, by their effects. One that only stands elsewhere is there: its coins are.
 *
 * @param input.span `below` a number: a walk down from there to the first deposit whose block still stands, as after a reorg, where
 *   all below it stands too. `above` a number: every one, because a copy that was damaged in the middle says nothing of its neighbours
 * @throws ChainAnswerRefused, or the network's error
 */
export async function findVanishedDeposits(
  deps: { db: Db; chain: PresentChain },
  input: { networkId: string; span: { below: number } | { above: number } },
): Promise<readonly string[]> {
  const { networkId, span } = input;
  const isWalk = 'below' in span;
  const values = isWalk ? [networkId, span.below - WALKED_MAX, span.below] : [networkId, span.above, null];
  const credited = await deps.db.query<CreditedDeposit>(findCreditedSql, values);
  const vanished: string[] = [];
  for (let start = 0; start < credited.length; start += ASKED_AT_ONCE) {
    const part = credited.slice(start, start + ASKED_AT_ONCE);
    const judged = await Promise.all(part.map((deposit) => judge(deps.chain, deposit)));
    for (const { effectId, place } of judged) {
      if (place === 'where_it_was' && isWalk) return vanished;
      if (place === 'nowhere') vanished.push(effectId);
    }
  }
  return vanished;
}

async function judge(
  chain: PresentChain,
  deposit: CreditedDeposit,
): Promise<{ effectId: string; place: 'where_it_was' | 'elsewhere' | 'nowhere' }> {
  const effectId = deposit.effect_id;
  const header = await chain.header(Number(deposit.block_number));
  if (header?.hash === deposit.block_hash) return { effectId, place: 'where_it_was' };
  const { receipt } = await chain.transaction(deposit.transaction_hash);
  return { effectId, place: receipt?.succeeded === true ? 'elsewhere' : 'nowhere' };
}

const findCreditedSql: Statement = {
  name: 'find_credited_deposits',
  text: `
    select e.id as effect_id, e.block_number, e.block_hash, e.transaction_hash
    from deposits d join chain_effects e on e.id = d.effect_id
    where e.network_id = $1 and e.block_number > $2::bigint and ($3::bigint is null or e.block_number <= $3::bigint)
    order by e.block_number desc, e.id`,
};
