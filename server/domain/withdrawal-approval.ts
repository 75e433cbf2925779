/** What an operator saw when they decided. A changed payload or revision makes the decision void. */
export interface ApprovalSubject {
  readonly payloadHash: string;
  readonly revision: bigint;
}

export interface GivenApproval extends ApprovalSubject {
  readonly operatorId: string;
}

export type ApprovalRefusal = 'own_request' | 'same_operator_twice' | 'payload_changed';

/** Whether this operator may approve what they saw. The database refuses the same three by itself. */
export function mayApprove(input: {
  readonly requesterId: string;
  readonly operatorId: string;
  readonly seen: ApprovalSubject;
  readonly current: ApprovalSubject;
  readonly given: readonly GivenApproval[];
}): { readonly allowed: true } | { readonly allowed: false; readonly reason: ApprovalRefusal } {
  const { requesterId, operatorId, seen, current, given } = input;
  if (operatorId === requesterId) return { allowed: false, reason: 'own_request' };
  if (!isAbout(seen, current)) return { allowed: false, reason: 'payload_changed' };
  const isSecond = given.some((one) => one.operatorId === operatorId && isAbout(one, current));
  return isSecond ? { allowed: false, reason: 'same_operator_twice' } : { allowed: true };
}

/** How many different people have approved exactly this payload at this revision. */
export function countApprovals(given: readonly GivenApproval[], current: ApprovalSubject): number {
  return new Set(given.filter((one) => isAbout(one, current)).map((one) => one.operatorId)).size;
}

function isAbout(one: ApprovalSubject, other: ApprovalSubject): boolean {
  return one.payloadHash === other.payloadHash && one.revision === other.revision;
}
