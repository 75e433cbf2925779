import { parseObject } from './pending-record.ts';

/** One reviewed request. It never changes: other values are another draft, and so another key. */
export type WithdrawalDraft = {
  draftId: string;
  /** ISO time by the page's clock. */
  createdAt: string;
  asset: string;
  network: string;
  networkName: string;
  address: string;
  memo: string | null;
  /** What is asked for; a decimal text in whole units. Whether the fee comes out of it says `feeMode`. */
  amount: string;
  /** What arrives. */
  arrives: string;
  /** The quoted fee and what leaves the balance, decimal texts in whole units. */
  fee: string;
  total: string;
  feeMode: 'on_top' | 'from_amount';
  /** The earlier withdrawal that this one deliberately repeats. */
  lookAlikeOf: string | null;
};

const TEXT_FIELDS = ['draftId', 'createdAt', 'asset', 'network', 'networkName', 'address', 'amount', 'fee', 'total'];

/** Reads a stored draft; null for text that is not one. */
export function parseWithdrawalDraft(text: string | null): WithdrawalDraft | null {
  const value = parseObject(text);
  if (value === null || TEXT_FIELDS.some((name) => typeof value[name] !== 'string')) return null;
  return {
    draftId: String(value.draftId),
    createdAt: String(value.createdAt),
    asset: String(value.asset),
    network: String(value.network),
    networkName: String(value.networkName),
    address: String(value.address),
    memo: typeof value.memo === 'string' ? value.memo : null,
    amount: String(value.amount),
    arrives: typeof value.arrives === 'string' ? value.arrives : String(value.amount),
    fee: String(value.fee),
    total: String(value.total),
    feeMode: value.feeMode === 'from_amount' ? 'from_amount' : 'on_top',
    lookAlikeOf: typeof value.lookAlikeOf === 'string' ? value.lookAlikeOf : null,
  };
}

/** What confirms a request: a code, or a passkey's signature of its very values. */
export type StepUp =
  | { kind: 'totp'; code: string }
  | {
      kind: 'passkey';
      challengeId: string;
      answer: {
        id: string;
        rawId: string;
        response: { clientDataJSON: string; authenticatorData: string; signature: string };
      };
    };

/** The input of `withdrawal.request` that this draft stands for. `clickedAt` is epoch ms by the page's clock, null before. */
export function requestOfDraft(draft: WithdrawalDraft, clickedAt: number | null, stepUp: StepUp | null = null) {
  return {
    asset: draft.asset,
    network: draft.network,
    address: draft.address,
    memo: draft.memo,
    amount: draft.amount,
    feeMode: draft.feeMode,
    quotedFee: draft.fee,
    lookAlikeOf: draft.lookAlikeOf,
    clickedAt,
    ...(stepUp === null ? {} : { stepUp }),
  };
}

/**
 * A hash of the draft, kept beside the key to notice a record that belongs to other values. Where the browser has no
 * `subtle` (plain http), the draft's id stands for its values, because a draft never changes.
 */
export async function fingerprintOfDraft(draft: WithdrawalDraft, subtle: SubtleCrypto | undefined): Promise<string> {
  if (subtle === undefined) return `draft:${draft.draftId}`;
  const meaning = [draft.asset, draft.network, draft.address, draft.memo ?? '', draft.amount, draft.feeMode];
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(meaning)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
