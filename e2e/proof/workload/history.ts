/** What a client was told by one call, in its own words. */
export interface Answer {
  readonly deed: 'request' | 'other_body' | 'stolen_key' | 'cancel' | 'give_up' | 'people';
  /** Null where the connection broke or the client went away: the outcome is not known to the client. */
  readonly status: number | null;
  readonly code: string | null;
  readonly withdrawalId: string | null;
  readonly withdrawalStatus: string | null;
  readonly replayed: boolean | null;
  /** `given_up`, `exists`, `cancelled`, `too_late`: what the two deeds without a withdrawal of their own answer. */
  readonly kind: string | null;
}

export type Habit =
  | 'plain'
  | 'double_press'
  | 'impatient'
  | 'answer_lost'
  | 'cancels'
  | 'gives_up'
  | 'other_body'
  | 'stolen_key'
  | 'too_much'
  | 'replays_later';

/** One click of one customer and everything that followed from it under its key. */
export interface Intent {
  readonly number: number;
  readonly phase: string;
  readonly habit: Habit;
  readonly customerId: string;
  readonly idempotencyKey: string;
  readonly body: WithdrawalBody;
  readonly answers: Answer[];
  /** Our database was restored to a copy from before it: what was told until then names rows that are gone. */
  restoredAway?: boolean;
}

export interface WithdrawalBody {
  readonly asset: 'USDC' | 'USDT' | 'ETH' | 'BTC' | 'XRP';
  readonly network: 'ethereum' | 'bitcoin' | 'xrp';
  readonly address: string;
  readonly memo: string | null;
  readonly amount: string;
  readonly feeMode: 'on_top' | 'from_amount';
}

/** What no client may ever see, with the call that showed it. */
export interface Leak {
  readonly what: string;
  readonly text: string;
}

/** Everything the customers of a run did and were told. */
export interface History {
  readonly intents: Intent[];
  readonly leaks: Leak[];
  /** Keys of which our restored database forgot some of what it had sent. */
  readonly lostMemory: Set<string>;
  calls: number;
}

export function createHistory(): History {
  return { intents: [], leaks: [], lostMemory: new Set(), calls: 0 };
}
