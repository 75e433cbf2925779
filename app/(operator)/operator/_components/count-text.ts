/** The server counts no further than ten thousand: behind that nobody needs the rest. */
const COUNTED_MAX = 10_000;

export function countText(count: number): string {
  return count > COUNTED_MAX ? `${COUNTED_MAX}+` : String(count);
}
