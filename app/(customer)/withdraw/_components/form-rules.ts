import { formatAmount, parseAmount } from '#domain/money.ts';
import { applyFee, type FeeMode } from '#domain/withdrawal-fee.ts';
import type { AssetView, NetworkView, Quote } from '../../../_trpc/api-types.ts';
import type { Words } from '../../../_words/en.ts';

/** What the form holds, as typed. */
export type FormValues = {
  assetId: string;
  networkId: string;
  address: string;
  memo: string;
  noMemo: boolean;
  amount: string;
  feeMode: FeeMode;
};

export const EMPTY_FORM: FormValues = {
  assetId: '',
  networkId: '',
  address: '',
  memo: '',
  noMemo: false,
  amount: '',
  feeMode: 'on_top',
};

const WORTH_DECIMALS = 8; // As the server writes prices.

/** The amount split into what arrives and what leaves the balance, exact texts; or why it cannot be. */
export type AmountVerdict =
  | { kind: 'empty' }
  | { kind: 'problem'; message: string }
  /** `asked` is the typed amount, `amount` what arrives, `total` what leaves; `reviewed` where a person looks at it first. */
  | { kind: 'ok'; asked: string; amount: string; total: string; remains: string; reviewed: boolean };

/** Judges the typed amount against a quote. The server judges again, under its lock. */
export function amountVerdict(
  typedAmount: { amount: string; feeMode: FeeMode },
  asset: string,
  quote: Quote,
  words: Words,
): AmountVerdict {
  const { feeMode } = typedAmount;
  const trimmed = typedAmount.amount.trim();
  if (trimmed === '') return { kind: 'empty' };
  const { decimals } = quote;
  const typed = parseAmount(trimmed, decimals);
  if (typed.kind === 'refused') return { kind: 'problem', message: words.refusal(typed.code, '') };
  const split = applyFee({ requestedMinor: typed.minor, feeMinor: minor(quote.fee, decimals), feeMode });
  if (split.kind === 'refused') return { kind: 'problem', message: words.refusal(split.refusal.code, '') };
  const { amountMinor, totalMinor } = split.fee;
  if (amountMinor < minor(quote.minimum, decimals)) {
    return { kind: 'problem', message: words.form.missing.below(quote.minimum, asset) };
  }
  const availableMinor = minor(quote.available, decimals);
  if (totalMinor > availableMinor) {
    return { kind: 'problem', message: words.form.missing.beyond(quote.available, asset) };
  }
  const { limit } = quote;
  if (limit !== null && limit.refusedAbove !== null && totalMinor > minor(limit.refusedAbove, decimals)) {
    return { kind: 'problem', message: words.form.missing.beyondLimit(limit.refusedAbove, asset) };
  }
  return {
    kind: 'ok',
    asked: formatAmount(typed.minor, decimals),
    amount: formatAmount(amountMinor, decimals),
    total: formatAmount(totalMinor, decimals),
    remains: formatAmount(availableMinor - totalMinor, decimals),
    reviewed: limit !== null && totalMinor > minor(limit.withoutApproval, decimals),
  };
}

/** Roughly what an amount is worth, to the cent and rounded down; null where that cannot be said. */
export function roughWorth(amount: string, decimals: number, perUnit: string): string | null {
  const typed = parseAmount(amount, decimals);
  const price = parseAmount(perUnit, WORTH_DECIMALS);
  if (typed.kind === 'refused' || price.kind === 'refused') return null;
  const cents = (typed.minor * price.minor) / 10n ** BigInt(decimals + WORTH_DECIMALS - 2);
  return formatAmount(cents, 2);
}

/** The network a form may fill in by itself: only where the asset has no other. */
export function onlyNetwork(asset: AssetView | null): NetworkView | null {
  const [only, another] = asset?.networks ?? [];
  return only !== undefined && another === undefined && only.enabled ? only : null;
}

// A server that writes an unreadable figure must not become a zero fee on the screen.
function minor(text: string, decimals: number): bigint {
  const parsed = parseAmount(text, decimals);
  if (parsed.kind === 'refused') throw new Error(`the quote holds no amount: ${parsed.code}`);
  return parsed.minor;
}
