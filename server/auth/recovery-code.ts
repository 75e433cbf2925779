import { createHash, randomInt } from 'node:crypto';

/** Without the letters and digits that are mistaken for each other on paper. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODES = 10;
const LENGTH = 10;

/** Ten fresh codes, `xxxxx-xxxxx`: 49 bits each, so that a list of their hashes is of no use. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '');
    return `${letters.slice(0, 5).join('')}-${letters.slice(5).join('')}`;
  });
}

/** The hash under which a code is kept, whatever spaces, dashes and capitals it was typed with. */
export function hashRecoveryCode(userId: string, code: string): string {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex');
}
