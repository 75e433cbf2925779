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
}

/** What custody's list says. A refused or failed transfer is on the list, but it moves nothing. */
export interface TheirTransfer extends ShownTransfer {
  readonly moves: boolean;
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
 * Whether custody knows more than we do: a reference that moves coins and that our database does not know, or knows only
 * as not sent or as ended without a transfer. Then our own memory is older than the world, and sending stops.
 */
export function isOurMemoryOlder(ours: readonly OurTransfer[], theirs: readonly TheirTransfer[]): boolean {
  const beliefs = new Map(ours.map((one) => [one.reference, one.belief]));
  return theirs.some((transfer) => {
    const belief = beliefs.get(transfer.externalId);
    return transfer.moves && belief !== 'sent' && belief !== 'maybe_sent';
  });
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
