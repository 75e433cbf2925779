/** What `mintKey` needs of the browser's crypto; older browsers and plain http have no `randomUUID`. */
type RandomSource = {
  randomUUID?: (() => string) | undefined;
  getRandomValues: (array: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;
};

/**
 * A UUID v4 in lower case, from the browser's cryptographic source only: two customers must never mint the same key,
 * and `Math.random` cannot promise that.
 */
export function mintKey(source: RandomSource): string {
  if (typeof source.randomUUID === 'function') return source.randomUUID().toLowerCase();
  const bytes = source.getRandomValues(new Uint8Array(16));
  // RFC 9562, 5.4: four bits say version 4, two bits say the variant.
  const marked = Array.from(bytes, (byte, index) => {
    if (index === 6) return (byte & 0x0f) | 0x40;
    if (index === 8) return (byte & 0x3f) | 0x80;
    return byte;
  });
  const hex = marked.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
