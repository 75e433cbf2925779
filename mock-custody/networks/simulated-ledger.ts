import type { NetworkName } from '../asset-table.ts';
import type { Database } from '../store/custody-database.ts';

export type SimulatedTransaction = {
  account: string;
  nonce: string;
  fee: number;
  asset: string;
  recipient: string;
  memo: string | null;
  amount: string;
  fate: 'included' | 'fails' | 'stuck' | 'rejected';
  validUntilHeight: number | null;
};

/** The node of a simulated network: takes transactions, mines blocks, reorganises, and answers readers. */
export type SimulatedLedger = {
  network: NetworkName;
  submit(hash: string, transaction: SimulatedTransaction): Promise<void>;
  mine(): Promise<number>;
  reorg(input: { depth: number; drop: boolean }): Promise<void>;
  /** Whether a block is worth mining: something waits, or what was included still gathers confirmations. */
  busy(): Promise<boolean>;
};

// Confirmations beyond any network's finality, counted from what was included and from what expired; after them an idle chain stands
// still and the database stops growing.
const TAIL_BLOCKS = 64;

export function openSimulatedLedger(deps: { database: Database }, input: { network: NetworkName }): SimulatedLedger {
  const { database } = deps;
  const { network } = input;
  return {
    network,
    async submit(hash, transaction) {
      await database.query({
        name: 'simulated-submit',
        text: `insert into simulated_transaction (network, hash, account, nonce, fee, asset, recipient, memo, amount, fate, status, valid_until_height)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'pending', $11) on conflict do nothing`,
        values: [
          network,
          hash,
          transaction.account,
          transaction.nonce,
          transaction.fee,
          transaction.asset,
          transaction.recipient,
          transaction.memo,
          transaction.amount,
          transaction.fate,
          transaction.validUntilHeight,
        ],
      });
    },
    async mine() {
      const mined = await database.query<{ height: string }>('select simulated_mine($1, true) as height', [network]);
      return Number(mined.rows[0]?.height ?? 0);
    },
    async reorg({ depth, drop }) {
      await database.query('select simulated_reorg($1, $2, $3)', [network, depth, drop]);
    },
    async busy() {
      const found = await database.query<{ busy: boolean }>({
        name: 'simulated-busy',
        text: `select exists (select 1 from simulated_transaction where network = $1 and status = 'pending')
          or exists (select 1 from simulated_transaction t where network = $1
            and height > (select coalesce(max(height), 0) from simulated_block b where b.network = $1) - $2)
          or exists (select 1 from simulated_transaction t where network = $1 and status = 'expired'
            and valid_until_height > (select coalesce(max(height), 0) from simulated_block b where b.network = $1) - $2) as busy`,
        values: [network, TAIL_BLOCKS],
      });
      return found.rows[0]?.busy ?? false;
    },
  };
}
