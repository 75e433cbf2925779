import type { Database } from '../store/custody-database.ts';

/** The first number that an account of a simulated network has not used, as of a height or, with null, by now. */
export async function findNextNonce(
  deps: { database: Database },
  input: { network: string; account: string; height: number | null },
): Promise<number> {
  const { network, account, height } = input;
  const found = await deps.database.query<{ nonce: number }>({
    name: 'simulated-next-nonce',
    // What a block holds is spent, whether it succeeded or failed.
    text: `with used as (select distinct nonce from simulated_transaction
        where network = $1 and account = $2 and height is not null and ($3::bigint is null or height <= $3))
      select (case when not exists (select 1 from used where nonce = 0) then 0
        else (select min(nonce) + 1 from used u where not exists (select 1 from used n where n.nonce = u.nonce + 1)) end)::int as nonce`,
    values: [network, account, height],
  });
  return found.rows[0]?.nonce ?? 0;
}
