import type { FaultSwitches } from '../fault-switches.ts';
import type { FaultKind } from '../faults/fault-kinds.ts';
import type { Fate, Payment, PaymentNetwork } from '../networks/payment-network.ts';
import type { Database } from '../store/custody-database.ts';

type Row = {
  id: string;
  external_id: string;
  asset: string;
  address: string;
  memo: string | null;
  amount_minor: string;
};

/**
 * Signs what was accepted and stores the signed bytes together with the lane's next number, before anybody outside can
 * see them: after a kill the same bytes are sent again, never others. Answers how many were signed.
 */
export async function signTransfers(
  deps: { database: Database; network: PaymentNetwork; faults: FaultSwitches },
  input: { limit: number },
): Promise<number> {
  const { database, network } = deps;
  const waiting = await database.query<Row>({
    name: 'transfers-to-sign',
    text: `select id, external_id, asset, address, memo, amount_minor from transfer t
      where network = $1 and status = 'accepted'
        -- After a restored copy: signed before, in a memory that was not lost.
        and not exists (select 1 from signed_transaction s where s.transfer_id = t.id)
      order by created_at, id limit $2`,
    values: [network.name, input.limit],
  });
  if (waiting.rows.length === 0) return 0;

  const firstNonce = await readLane(database, network);
  const wanted = await Promise.all(
    waiting.rows.map(async (row) => ({ row, fault: await deps.faults.take('chain', { externalId: row.external_id }) })),
  );
  const failed = wanted.filter(({ fault }) => fault?.kind === 'fail_after_accept');
  for (const { row, fault } of failed)
    await database.query('select record_failure($1, $2, true)', [row.id, fault?.code ?? 'compliance_rejected']);
  const toSign = wanted.filter(({ fault }) => fault?.kind !== 'fail_after_accept');
  if (toSign.length === 0) return failed.length;

  const payments = toSign.map(
    ({ row, fault }): Payment => ({
      transferId: row.id,
      asset: row.asset,
      address: row.address,
      memo: row.memo,
      amountMinor: BigInt(row.amount_minor),
      fate: fateOf(fault?.kind),
    }),
  );
  const signed = await network.sign(payments, firstNonce);
  const items = signed.map((transaction, place) => {
    const source = toSign[place];
    if (source === undefined) throw new Error('the network signed another number of payments than it was given');
    const holdMs = source.fault?.kind === 'stuck' ? source.fault.delayMs : null;
    return {
      transferId: source.row.id,
      hash: transaction.hash,
      nonce: transaction.nonce.toString(),
      raw: transaction.raw,
      holdMs,
    };
  });
  await database.query({
    name: 'record-signed',
    text: 'select record_signed($1, $2, $3, $4)',
    values: [network.name, network.account, firstNonce.toString(), JSON.stringify(items)],
  });
  for (const { row, fault } of toSign)
    if (fault?.kind === 'contradict_failed')
      await database.query('select record_failure($1, $2, true)', [row.id, 'reported_failed']);
  return waiting.rows.length;
}

async function readLane(database: Database, network: PaymentNetwork): Promise<bigint> {
  const lane = await database.query<{ next_nonce: string }>({
    name: 'wallet-lane',
    text: 'select next_nonce from wallet_lane where network = $1 and account = $2',
    values: [network.name, network.account],
  });
  const known = lane.rows[0];
  if (known !== undefined) return BigInt(known.next_nonce);
  // A wallet used before it came to us starts where the chain stands.
  const first = await network.nextNonce();
  await database.query(
    'insert into wallet_lane (network, account, next_nonce) values ($1, $2, $3) on conflict do nothing',
    [network.name, network.account, first.toString()],
  );
  return readLane(database, network);
}

function fateOf(fault: FaultKind | undefined): Fate {
  switch (fault) {
    case 'revert_on_chain':
      return 'fails';
    case 'sim_stuck':
      return 'stuck';
    case 'sim_reject':
      return 'rejected';
    default:
      return 'included';
  }
}
