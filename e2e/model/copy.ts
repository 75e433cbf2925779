/**
 * A copy of a create request under way, packed into one small number so that states stay cheap to compare:
 * which life of our database sent it, which attempt, under which not-after.
 */
export function packCopy(epoch: number, attempt: number, window: number): number {
  return epoch * 64 + attempt * 8 + window;
}

export function epochOf(copy: number): number {
  return copy >> 6;
}

export function attemptOf(copy: number): number {
  return (copy >> 3) & 7;
}

export function windowOf(copy: number): number {
  return copy & 7;
}

/** Same bytes: same attempt's wording, which is fixed together with its not-after. */
export function hasSameBytes(left: number, right: number): boolean {
  return epochOf(left) === epochOf(right) && windowOf(left) === windowOf(right);
}

export function describeCopy(copy: number): string {
  return `attempt ${attemptOf(copy) + 1}${epochOf(copy) > 0 ? ' (sent after the restore)' : ''}`;
}
