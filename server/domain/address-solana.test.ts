import { base58 } from '@scure/base';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSolanaAddress } from '#domain/address-solana.ts';

test('32 bytes are an address, and always one to compare by eye', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      fc.pre(bytes.some((byte) => byte !== 0));
      const text = base58.encode(bytes);
      expect(parseSolanaAddress(text)).toMatchObject({
        kind: 'ok',
        address: { canonical: text, warnings: ['no_checksum'] },
      });
    }),
  );
});

test('31 and 33 bytes are none', () => {
  for (const length of [31, 33]) {
    const text = base58.encode(new Uint8Array(length).fill(200));
    expect(parseSolanaAddress(text), `${length}`).toMatchObject({ kind: 'refused', code: 'address_malformed' });
  }
});

test.each([
  ['a zero digit', 'So1111111111111111111111111111111111111110'],
  ['a capital O', 'So111111111111111111111111111111111111111O'],
  ['a domain', 'bonfida.sol'],
])('%s is malformed', (_name, text) => {
  expect(parseSolanaAddress(text)).toMatchObject({ kind: 'refused', code: 'address_malformed' });
});

test.each([
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  '1nc1nerator11111111111111111111111111111111',
])('AD08: the program %s is no wallet', (text) => {
  expect(parseSolanaAddress(text)).toMatchObject({ kind: 'refused', code: 'address_unusable' });
});
