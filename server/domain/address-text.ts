import type { NetworkFamily } from '#domain/asset.ts';
import type { RefusalCode } from '#domain/refusal.ts';

/** Said to the customer, who may go on. */
export type AddressWarning =
  /** Nothing in the text can show a mistyped character, so it must be compared by eye. */
  'no_checksum';

export interface ParsedAddress {
  readonly family: NetworkFamily;
  /** One spelling for one destination: stored, compared, sent to custody. */
  readonly canonical: string;
  /** The spelling to show: the canonical one, with its checksum where letter case carries one. */
  readonly display: string;
  /** A destination tag packed into the address (XRP's X-address), as plain digits. */
  readonly embeddedMemo: string | null;
  readonly warnings: readonly AddressWarning[];
}

export type AddressRefusalCode = Extract<
  RefusalCode,
  'address_malformed' | 'address_checksum' | 'address_wrong_network' | 'address_unusable'
>;

export interface RefusedAddress {
  readonly kind: 'refused';
  readonly code: AddressRefusalCode;
  /** The exact reason, in words for the customer. */
  readonly detail: string;
}

export type AddressResult = { readonly kind: 'ok'; readonly address: ParsedAddress } | RefusedAddress;

/** The longest address we know has 90 characters; anything longer is refused unread. */
const ADDRESS_LENGTH_MAX = 100;

/** Makes a refused address. */
export function refuseAddress(code: AddressRefusalCode, detail: string): RefusedAddress {
  return { kind: 'refused', code, detail };
}

/** Makes a good address; the display form is the canonical one unless named. */
export function acceptAddress(
  family: NetworkFamily,
  canonical: string,
  more: Partial<Pick<ParsedAddress, 'display' | 'embeddedMemo' | 'warnings'>> = {},
): AddressResult {
  return { kind: 'ok', address: { family, canonical, display: canonical, embeddedMemo: null, warnings: [], ...more } };
}

/**
 * Takes pasted text down to what can be an address: spaces and line ends at the edges go, everything else that is not a
 * plain character is refused by its own name. What is shown, stored and sent is then the same, byte for byte.
 */
export function cleanAddressText(text: string): { readonly kind: 'ok'; readonly text: string } | RefusedAddress {
  const trimmed = text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  if (trimmed === '') return refuseAddress('address_malformed', 'The address is empty.');
  if (trimmed.length > ADDRESS_LENGTH_MAX)
    return refuseAddress('address_malformed', 'The text is too long for an address.');
  if (hasInvisibleCharacter(trimmed)) {
    return refuseAddress(
      'address_malformed',
      'The text holds an invisible character. Copy the address again from its source.',
    );
  }
  if (/\p{Zs}/u.test(trimmed)) {
    return refuseAddress('address_malformed', 'The text holds a space. Paste the address alone, in one piece.');
  }
  if (/[^\x21-\x7e]/.test(trimmed)) {
    return refuseAddress(
      'address_malformed',
      'The text holds a letter from another alphabet that looks like a plain one. Copy the address again from its source.',
    );
  }
  if (/[:?@/]/.test(trimmed)) {
    return refuseAddress('address_malformed', 'This is a payment link or a name. Paste the address alone.');
  }
  return { kind: 'ok', text: trimmed };
}

/** Shapes by which an address of another network is recognised. A shape proves nothing; it only improves the sentence. */
const SHAPES: readonly { readonly family: NetworkFamily; readonly name: string; readonly shape: RegExp }[] = [
  { family: 'evm', name: 'Ethereum', shape: /^0x[0-9a-f]{40}$/i },
  { family: 'bitcoin', name: 'Bitcoin', shape: /^(bc1[02-9ac-hj-np-z]{8,87}|BC1[02-9AC-HJ-NP-Z]{8,87})$/ },
  { family: 'bitcoin', name: 'Bitcoin', shape: /^[13][1-9A-HJ-NP-Za-km-z]{25,33}$/ },
  { family: 'tron', name: 'Tron', shape: /^T[1-9A-HJ-NP-Za-km-z]{33}$/ },
  { family: 'xrp', name: 'XRP', shape: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/ },
  { family: 'xrp', name: 'XRP', shape: /^X[1-9A-HJ-NP-Za-km-z]{46}$/ },
];

/** The refusal for text that did not parse as this family: another network's address by its shape, or malformed. */
export function refuseShape(text: string, family: NetworkFamily, detail: string): RefusedAddress {
  const other = SHAPES.find((shape) => shape.family !== family && shape.shape.test(text));
  if (other === undefined) return refuseAddress('address_malformed', detail);
  return refuseAddress(
    'address_wrong_network',
    `This looks like an address of ${other.name}. Choose that network or another address.`,
  );
}

/** Whether the text holds a character that no eye can see: controls, zero-width and direction marks, fillers, line ends. */
export function hasInvisibleCharacter(text: string): boolean {
  return /[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}]/u.test(text);
}
