import { decodeAccountID, decodeXAddress, encodeAccountID } from 'ripple-address-codec';
import {
  type AddressResult,
  acceptAddress,
  cleanAddressText,
  refuseAddress,
  refuseShape,
} from '#domain/address-text.ts';

const MALFORMED = 'An XRP address begins with r, or with X when it carries its tag.';

/** Accounts of the ledger's own specification whose keys nobody holds. */
const BLACK_HOLES: ReadonlySet<string> = new Set([
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp', // account zero
  'rrrrrrrrrrrrrrrrrrrrBZbvji', // account one
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd', // an old library's "not a number"
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ', // the name reservation account
]);

/**
 * Reads an XRP address. Canonical is the classic spelling; an X-address gives its tag as `embeddedMemo`, because the tag
 * is part of the destination there and may not be lost.
 */
export function parseXrpAddress(text: string): AddressResult {
  const clean = cleanAddressText(text);
  if (clean.kind === 'refused') return clean;
  if (/^[XT][1-9A-HJ-NP-Za-km-z]{46}$/.test(clean.text)) return parseXAddress(clean.text);
  if (/^s[1-9A-HJ-NP-Za-km-z]{20,34}$/.test(clean.text)) {
    return refuseAddress(
      'address_malformed',
      'This looks like a secret seed, not an address. Never paste it anywhere.',
    );
  }
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(clean.text)) return refuseShape(clean.text, 'xrp', MALFORMED);
  const accountId = tryDecode(() => decodeAccountID(clean.text));
  if (accountId === null) {
    return refuseAddress('address_checksum', 'The address does not match its checksum: a character is wrong.');
  }
  return acceptAccount(encodeAccountID(accountId), null);
}

function parseXAddress(text: string): AddressResult {
  const decoded = tryDecode(() => decodeXAddress(text));
  if (decoded === null) {
    return refuseAddress('address_checksum', 'The address does not match its checksum: a character is wrong.');
  }
  if (decoded.test) return refuseAddress('address_wrong_network', 'This is an address of an XRP test network.');
  return acceptAccount(encodeAccountID(decoded.accountId), decoded.tag === false ? null : decoded.tag.toString());
}

function acceptAccount(classic: string, tag: string | null): AddressResult {
  if (BLACK_HOLES.has(classic)) {
    return refuseAddress('address_unusable', 'Nobody holds the keys to this account: coins sent there would be lost.');
  }
  return acceptAddress('xrp', classic, { embeddedMemo: tag });
}

function tryDecode<Decoded>(decode: () => Decoded): Decoded | null {
  try {
    return decode();
  } catch {
    // The shape was checked before, so what the codec still refuses is the checksum or the payload behind it.
    return null;
  }
}
