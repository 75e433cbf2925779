import { z } from 'zod';
import { SEEDED_ASSET_NETWORKS, SEEDED_ASSETS } from '#domain/asset.ts';
import { parseAmount } from '#domain/money.ts';
import type { Db, Statement } from '#server/db/database.ts';

const balancesSchema = z.object({
  data: z.array(z.object({ asset: z.string(), network: z.string(), available: z.string() })),
});

/**
 * Lets the books begin equal where custody simulates the network: what lies in those wallets beyond what customers own is the
 * house's, booked once a pair (custody hot → opening). Without it every comparison would find the same surplus.
 */
export async function bookSimulatedWallets(
  deps: { db: Db },
  input: { custodyUrl: string; custodyApiKey: string },
): Promise<void> {
  const pairs = SEEDED_ASSET_NETWORKS.filter((pair) => pair.networkId !== 'ethereum');
  const booked = await deps.db.query<{ subject: string }>(findBookedSql, [
    pairs.map((pair) => `${pair.assetId} ${pair.networkId}`),
  ]);
  const isBooked = new Set(booked.map((row) => row.subject));
  const open = pairs.filter((pair) => !isBooked.has(`${pair.assetId} ${pair.networkId}`));
  if (open.length === 0) return;
  const headers = { authorization: `Bearer ${input.custodyApiKey}` };
  const answer = await fetch(new URL('/v1/balances', input.custodyUrl), { headers });
  if (!answer.ok) throw new Error(`custody answered ${answer.status} when asked for its balances`);
  const { data } = balancesSchema.parse(await answer.json());
  for (const { assetId, networkId } of open) {
    const decimals = SEEDED_ASSETS.find((asset) => asset.id === assetId)?.decimals ?? 0;
    const shown = data.find((balance) => balance.asset === assetId && balance.network === networkId);
    const parsed = parseAmount(shown?.available ?? '', decimals);
    if (parsed.kind !== 'ok') continue;
    // What customers own of a token that is on the dev chain as well lies there.
    const isOnDevChain = SEEDED_ASSET_NETWORKS.some(
      (pair) => pair.assetId === assetId && pair.networkId === 'ethereum',
    );
    await deps.db.query(bookSql, [assetId, `${assetId} ${networkId}`, parsed.minor.toString(), !isOnDevChain]);
  }
}

const SOURCE = (subject: string) => `md5('opening ' || ${subject})::uuid`;

const findBookedSql: Statement = {
  name: 'seed_find_simulated_booked',
  text: `
    select s.subject from unnest($1::text[]) as s(subject)
    where exists (select 1 from ledger_transfers t where t.source_id = ${SOURCE('s.subject')} and t.kind = 'opening')`,
};

const bookSql: Statement = {
  name: 'seed_book_simulated',
  text: `
    with house as (
      select $3::numeric - case when $4::boolean then coalesce(sum(b.available_minor + b.held_minor), 0) else 0 end as minor
      from customer_balances b where b.asset_id = $1
    ), transfer as (
      insert into ledger_transfers (asset_id, kind, source_id)
      select $1::text, 'opening', ${SOURCE('$2::text')} from house where house.minor > 0 on conflict (source_id, kind) do nothing returning id
    )
    insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t.id, 1, $1, ledger_house_account($1, 'custody_hot'), ledger_house_account($1, 'opening'), h.minor from transfer t, house h`,
};
