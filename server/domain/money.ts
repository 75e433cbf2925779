import { invariant } from '#domain/invariant.ts';

/** What `numeric(78,0)` holds: one digit more than the largest 256-bit number needs. */
export const MINOR_DIGITS_MAX = 78;

/** The largest amount in minor units. */
export const MINOR_MAX = 10n ** BigInt(MINOR_DIGITS_MAX) - 1n;

/** 78 digits, the point and room for zeros in front; a longer text is refused before anything reads it digit by digit. */
const AMOUNT_TEXT_LENGTH_MAX = 100;

export type AmountRefusalCode = 'amount_malformed' | 'amount_too_many_decimals' | 'amount_too_large';

export type ParsedAmount =
  | { readonly kind: 'ok'; readonly minor: bigint }
  | { readonly kind: 'refused'; readonly code: AmountRefusalCode };

/**
 * Reads a decimal amount in whole units, exactly or not at all: ASCII digits with at most one point that has digits on
 * both sides. No sign, exponent, space, comma, hexadecimal or foreign digit, and never a rounded decimal. Zero is read;
 * whether it may be asked for is the policy's matter.
 *
 * @param decimals the asset's decimals
 */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  assertDecimals(decimals);
  if (text.length > AMOUNT_TEXT_LENGTH_MAX) {
    return { kind: 'refused', code: /^[0-9]+(\.[0-9]+)?$/.test(text) ? 'amount_too_large' : 'amount_malformed' };
  }
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (match === null) return { kind: 'refused', code: 'amount_malformed' };
  const whole = match[1] ?? '';
  const fraction = match[2] ?? '';
  if (fraction.length > decimals) return { kind: 'refused', code: 'amount_too_many_decimals' };
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  if (minor > MINOR_MAX) return { kind: 'refused', code: 'amount_too_large' };
  return { kind: 'ok', minor };
}

/**
 * Reads an amount as another company writes it: the same number may have zeros at its end beyond our decimals, or none before
 * its point. Any other digit beyond our decimals is a difference and is refused, as everything else is that is no plain decimal.
 *
 * @param decimals the asset's decimals
 */
export function parseShownAmount(text: string, decimals: number): ParsedAmount {
  const match = /^([0-9]*)(?:\.([0-9]*))?$/.exec(text);
  if (match === null || !/[0-9]/.test(text)) return { kind: 'refused', code: 'amount_malformed' };
  const [, whole = '', fraction = ''] = match;
  const significant = fraction.replace(/0+$/, '');
  return parseAmount(`${whole === '' ? '0' : whole}${significant === '' ? '' : `.${significant}`}`, decimals);
}

/** Writes an amount of minor units as the shortest plain decimal: no exponent, no grouping, no zeros at the end. */
export function formatAmount(minor: bigint, decimals: number): string {
  assertDecimals(decimals);
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/**
 * Reads minor units from our own rows, where a sum may be below zero.
 *
 * @throws Error when the text is no whole number of at most 78 digits
 */
export function fromMinorText(text: string): bigint {
  invariant(/^-?[0-9]{1,78}$/.test(text), 'minor units are a whole number of at most 78 digits');
  return BigInt(text);
}

/** -1, 0 or 1, by value and never by text: for sorting. */
export function compareMinor(left: bigint, right: bigint): -1 | 0 | 1 {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function assertDecimals(decimals: number): void {
  invariant(Number.isInteger(decimals) && decimals >= 0 && decimals <= 36, 'decimals are a whole number from 0 to 36');
}
