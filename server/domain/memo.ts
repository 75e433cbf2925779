import { hasInvisibleCharacter } from '#domain/address-text.ts';
import type { MemoRule, NetworkFamily } from '#domain/asset.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';

/** A destination tag is an unsigned number of 32 bits. */
const TAG_MAX = 4_294_967_295n;

/** The limit of the text memos in use (28 bytes of UTF-8). */
const TEXT_MEMO_BYTES_MAX = 28;

export interface MemoRequest {
  readonly rule: MemoRule;
  readonly family: NetworkFamily;
  /** What the customer wrote, null for nothing. */
  readonly memo: string | null;
  /** The deliberate word that the receiver needs no memo. */
  readonly noMemoNeeded: boolean;
  /** The tag that the address itself carries. */
  readonly embeddedMemo: string | null;
}

export type MemoResult =
  | { readonly kind: 'ok'; readonly memo: string | null }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/**
 * Decides the memo of a destination. A memo is never invented, corrected or dropped: without one the field is null, and
 * custody gets none.
 */
export function parseMemo(request: MemoRequest): MemoResult {
  const { rule, memo, noMemoNeeded, embeddedMemo } = request;
  if (rule === 'none') {
    return memo === null ? { kind: 'ok', memo: null } : refused('memo_not_supported', 'This network has no memo.');
  }
  if (memo !== null && noMemoNeeded)
    return refused('memo_malformed', 'There is a memo, and the word that none is needed.');
  if (embeddedMemo !== null) {
    if (noMemoNeeded) return refused('memo_malformed', 'The address carries a tag, so a tag is needed.');
    if (memo !== null && memo !== embeddedMemo) {
      return refused('memo_malformed', `The address carries the tag ${embeddedMemo}, and you wrote another.`);
    }
    return { kind: 'ok', memo: embeddedMemo };
  }
  if (memo === null) {
    return rule === 'optional' || noMemoNeeded ? { kind: 'ok', memo: null } : refused('memo_required_choice');
  }
  return request.family === 'xrp' ? parseTag(memo) : parseTextMemo(memo);
}

function parseTag(memo: string): MemoResult {
  // '007' is refused and not mended: whoever wrote it may have meant a text.
  if (!/^(0|[1-9][0-9]{0,9})$/.test(memo)) {
    return refused('memo_malformed', 'A destination tag is a whole number in plain digits, without zeros in front.');
  }
  if (BigInt(memo) > TAG_MAX) return refused('memo_malformed', 'A destination tag is at most 4294967295.');
  return { kind: 'ok', memo };
}

function parseTextMemo(memo: string): MemoResult {
  if (memo === '' || memo !== memo.trim())
    return refused('memo_malformed', 'The memo is empty or has spaces at its edge.');
  if (hasInvisibleCharacter(memo)) {
    return refused('memo_malformed', 'The memo holds an invisible character.');
  }
  if (new TextEncoder().encode(memo).length > TEXT_MEMO_BYTES_MAX) {
    return refused('memo_malformed', `The memo is longer than ${TEXT_MEMO_BYTES_MAX} bytes.`);
  }
  return { kind: 'ok', memo };
}

function refused(code: 'memo_malformed' | 'memo_not_supported' | 'memo_required_choice', detail?: string): MemoResult {
  return { kind: 'refused', refusal: refuse(code, { fields: ['memo'], ...(detail === undefined ? {} : { detail }) }) };
}
