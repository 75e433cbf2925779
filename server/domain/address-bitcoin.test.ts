import { describe, expect, test } from 'vitest';
import { parseBitcoinAddress } from '#domain/address-bitcoin.ts';

describe('base58check', () => {
  test.each([
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  ])('%s is good as it is written', (text) => {
    expect(parseBitcoinAddress(text)).toMatchObject({ kind: 'ok', address: { canonical: text, warnings: [] } });
  });

  test.each([
    ['a test network', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'address_wrong_network'],
    ['a test network', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'address_wrong_network'],
    ['a turned letter', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'address_checksum'],
    ['a turned letter', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLz', 'address_checksum'],
    ['another letter case', '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divfna', 'address_checksum'],
    ['a character too few', '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf', 'address_malformed'],
    ['a zero', '1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a', 'address_malformed'],
    ['a private key', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ', 'address_malformed'],
    ['a private key', 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617', 'address_malformed'],
    ['nobody’s key', '1111111111111111111114oLvT2', 'address_unusable'],
    ['another coin', 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1', 'address_malformed'],
  ])('%s is refused: %s', (_name, text, code) => {
    expect(parseBitcoinAddress(text)).toMatchObject({ kind: 'refused', code });
  });
});

// The vectors of BIP-173 and BIP-350.
describe('bech32 and bech32m', () => {
  test.each([
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ])('AD02: %s is good in either letter case, and kept in small letters', (text) => {
    const canonical = text.toLowerCase();
    for (const spelling of [canonical, text.toUpperCase()]) {
      expect(parseBitcoinAddress(spelling)).toMatchObject({ kind: 'ok', address: { canonical, display: canonical } });
    }
  });

  test.each([
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
    'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
    'TB1QRP33G0Q5C5TXSP9ARYSRX4K6ZDKFS4NCE4XJ0GDCCCEFVPYSXF3Q0SL5K7',
  ])('%s belongs to a test network', (text) => {
    expect(parseBitcoinAddress(text)).toMatchObject({ kind: 'refused', code: 'address_wrong_network' });
  });

  test.each([
    ['version 16', 'BC1SW50QGDZ25J'],
    ['version 2', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs'],
  ])('%s is well formed and not in use: anyone could take the coins', (_name, text) => {
    expect(parseBitcoinAddress(text)).toMatchObject({ kind: 'refused', code: 'address_unusable' });
  });

  test.each([
    [
      'version 1 of 40 bytes',
      'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
      'address_malformed',
    ],
    [
      'another human-readable part',
      'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
      'address_malformed',
    ],
    ['version 1 as bech32', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd', 'address_checksum'],
    ['version 16 as bech32', 'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL', 'address_checksum'],
    ['version 0 as bech32m', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'address_checksum'],
    [
      'a character outside the set',
      'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
      'address_malformed',
    ],
    ['version 17', 'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R', 'address_malformed'],
    ['a program of one byte', 'bc1pw5dgrnzv', 'address_malformed'],
    [
      'a program of 41 bytes',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
      'address_malformed',
    ],
    ['version 0 of 16 bytes', 'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P', 'address_malformed'],
    ['mixed letter case', 'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq', 'address_malformed'],
    ['mixed letter case', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8F3t4', 'address_malformed'],
    [
      'padding of more than four bits',
      'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
      'address_malformed',
    ],
    ['no data', 'bc1gmk9yu', 'address_malformed'],
    ['a turned character', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5', 'address_checksum'],
    ['a character too many', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4q', 'address_checksum'],
  ])('%s is refused', (_name, text, code) => {
    expect(parseBitcoinAddress(text)).toMatchObject({ kind: 'refused', code });
  });
});
