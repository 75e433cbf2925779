import type { CustodySettings } from './custody-settings.ts';
import type { Database } from './store/custody-database.ts';

export type CreateItem = {
  id: string;
  key: string;
  bodyHash: string;
  externalId: string;
  asset: string;
  network: string;
  address: string;
  memo: string | null;
  amount: string;
  amountMinor: string;
  notAfter: string;
  refusal: string | null;
  refusalAnswer: string | null;
  funded: boolean;
};

export type CreateVerdict = {
  ordinal: number;
  verdict: 'created' | 'replayed' | 'key_reused' | 'duplicate' | 'closed' | 'expired' | 'refused' | 'insufficient';
  transfer_id: string | null;
  answer_status: number | null;
  answer: string | null;
};

export type CreateQueue = { add(item: CreateItem): Promise<CreateVerdict> };

// One flush to disk carries them all; more than this only makes the first wait for the last.
const BATCH_MAX = 64;

/**
 * Gathers what arrives while a batch is being stored and stores it as the next one: no timer, one batch at a time. A
 * lone request goes at once.
 */
export function createCreateQueue(deps: { database: Database; settings: CustodySettings }): CreateQueue {
  type Waiting = { item: CreateItem; resolve: (verdict: CreateVerdict) => void; reject: (cause: unknown) => void };
  const waiting: Waiting[] = [];
  let busy = false;

  async function store(items: CreateItem[]): Promise<CreateVerdict[]> {
    const rules = deps.settings.profile().rules;
    const found = await deps.database.query<CreateVerdict>({
      name: 'create-transfers',
      text: 'select * from create_transfers($1, $2)',
      values: [JSON.stringify(rules), JSON.stringify(items)],
    });
    return found.rows;
  }

  async function storeBatch(batch: Waiting[]): Promise<void> {
    try {
      const verdicts = await store(batch.map(({ item }) => item));
      batch.forEach((entry, place) => {
        const verdict = verdicts[place];
        if (verdict === undefined) entry.reject(new Error('the database left an item without a verdict'));
        else entry.resolve(verdict);
      });
    } catch (cause) {
      const [first, ...rest] = batch;
      if (first !== undefined && rest.length === 0) return first.reject(cause);
      // One bad item must not fail its neighbours; the transaction was rolled back whole.
      for (const entry of batch) await storeBatch([entry]);
    }
  }

  async function run(): Promise<void> {
    busy = true;
    while (waiting.length > 0) await storeBatch(waiting.splice(0, BATCH_MAX));
    busy = false;
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!busy) void run();
      }),
  };
}
