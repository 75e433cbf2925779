import { canHaveMade, type SendAttempt } from '#domain/custody-evidence.ts';
import { differingFields, type ExpectedTransfer, type ShownTransfer } from '#domain/custody-transfer.ts';
import { invariant } from '#domain/invariant.ts';

/** What our database says about one reference. */
export interface OurTransfer extends ExpectedTransfer {
  readonly withdrawalId: string;
  /**
   * `not_sent`: no attempt left us, or every one is proved not sent; `maybe_sent`: the resolver's business;
   * `sent`: custody has it; `ended_without`: ended, and we said that nothing was sent.
   */
  readonly belief: 'not_sent' | 'maybe_sent' | 'sent' | 'ended_without';
  /** The transfer that custody is known to have made for it, whatever became of it. */
  readonly transferId: string | null;
  /** What was ever sent for it, as far as we remember. */
  readonly sends: readonly Pick<SendAttempt, 'outcome' | 'notAfterMs'>[];
}

/** What custody's list says. A refused or failed transfer is on the list, but it moves nothing. */
export interface TheirTransfer extends ShownTransfer {
  readonly moves: boolean;
  /** By custody's own clock, in milliseconds since 1970; null where it does not tell. */
  readonly createdAtMs: number | null;
}

export type Discrepancy =
  | { readonly kind: 'missing_here'; readonly reference: string; readonly transferId: string }
  | { readonly kind: 'missing_there'; readonly reference: string; readonly withdrawalId: string }
  | {
      readonly kind: 'differs';
      readonly reference: string;
      readonly withdrawalId: string;
      readonly transferId: string;
      readonly fields: readonly string[];
    }
  | { readonly kind: 'twice'; readonly reference: string; readonly transferIds: readonly string[] };

/**
 * Compares our books with custody's list of the same span. Both lists are ordered by reference, by character code.
 * Nothing is fixed by itself: each finding is for a person.
 *
 * @throws Error when a list is out of order, or ours names a reference twice
 */
export function findDiscrepancies(
  ours: readonly OurTransfer[],
  theirs: readonly TheirTransfer[],
): readonly Discrepancy[] {
  assertOrdered(
    ours.map((one) => one.reference),
    'strictly',
  );
  assertOrdered(
    theirs.map((one) => one.externalId),
    'with repetition',
  );
  const found: Discrepancy[] = [];
  let hereAt = 0;
  let thereAt = 0;
  while (hereAt < ours.length || thereAt < theirs.length) {
    const here = ours[hereAt];
    const reference = smaller(here?.reference, theirs[thereAt]?.externalId);
    const there: TheirTransfer[] = [];
    for (let next = theirs[thereAt]; next?.externalId === reference; next = theirs[thereAt]) {
      there.push(next);
      thereAt += 1;
    }
    const isOurs = here !== undefined && here.reference === reference;
    found.push(...compareOne(reference, isOurs ? here : null, there));
    if (isOurs) hereAt += 1;
  }
  return found;
}

/**
 * What a transfer says about our own memory. `explained`: it moves nothing, or we sent it, or may have. `contradicted`: we call
 * it not sent or ended without a transfer, yet remember a send that can have made it, so custody shows what it denied before,
 * which is its word against its word and nobody's lost memory. `older`: nothing that we remember can have made it, so our memory
 * is older than the world, and sending stops.
 */
export function judgeMemory(
  here: OurTransfer | undefined,
  transfer: TheirTransfer,
  custody: { readonly notAfterHonoured: boolean },
): 'explained' | 'contradicted' | 'older' {
  if (!transfer.moves || here?.belief === 'sent' || here?.belief === 'maybe_sent') return 'explained';
  if (here === undefined) return 'older';
  if (here.transferId === transfer.id) return 'contradicted';
  // Other bytes than ours were made by no send of ours.
  if (differingFields(here, transfer).length > 0) return 'older';
  return here.sends.some((send) => canHaveMade(send, transfer, custody)) ? 'contradicted' : 'older';
}

function compareOne(
  reference: string,
  here: OurTransfer | null,
  there: readonly TheirTransfer[],
): readonly Discrepancy[] {
  const [transfer, second] = there;
  if (second !== undefined) return [{ kind: 'twice', reference, transferIds: there.map((one) => one.id) }];
  if (transfer === undefined) {
    if (here === null || here.belief !== 'sent') return [];
    return [{ kind: 'missing_there', reference, withdrawalId: here.withdrawalId }];
  }
  if (here === null) return [{ kind: 'missing_here', reference, transferId: transfer.id }];
  const fields: readonly string[] = [...differingFields(here, transfer), ...differingBelief(here, transfer)];
  if (fields.length === 0) return [];
  return [{ kind: 'differs', reference, withdrawalId: here.withdrawalId, transferId: transfer.id, fields }];
}

function differingBelief(here: OurTransfer, transfer: TheirTransfer): readonly 'status'[] {
  const movesByUs = here.belief === 'sent';
  return here.belief === 'maybe_sent' || movesByUs === transfer.moves ? [] : ['status'];
}

function smaller(left: string | undefined, right: string | undefined): string {
  if (left === undefined || (right !== undefined && right < left)) {
    invariant(right !== undefined, 'one of the two lists has an entry left');
    return right;
  }
  return left;
}

function assertOrdered(references: readonly string[], order: 'strictly' | 'with repetition'): void {
  let before: string | null = null;
  for (const reference of references) {
    const isAfter = before === null || before < reference || (before === reference && order === 'with repetition');
    invariant(isAfter, `references are in order, ${order}`);
    before = reference;
  }
}
