/**
 * "12.5" with 6 decimals is 12500000n. Null where the text is no plain decimal, or says more decimals than the asset
 * has: a provider that rounded money would be worth nothing.
 */
export function parseAmount(text: string, decimals: number): bigint | null {
  const match = /^(0|[1-9]\d{0,59})(?:\.(\d+))?$/.exec(text);
  if (match === null) return null;
  const [, whole = '0', fraction = ''] = match;
  if (fraction.length > decimals) return null;
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

export function formatAmount(minor: bigint, decimals: number): string {
  const digits = minor.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
