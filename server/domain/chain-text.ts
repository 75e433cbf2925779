/**
 * A hash, contract or address in the one form by which it is compared. Behind `0x` letter case is at most a checksum (EIP-55);
 * everywhere else it is part of the text: two base58 addresses that differ in case are two owners. `chain_text` in the database is
 * the same rule.
 */
export function canonicalChainText(text: string): string {
  return /^0x[0-9a-f]*$/i.test(text) ? text.toLowerCase() : text;
}
