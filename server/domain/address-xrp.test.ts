import { describe, expect, test } from 'vitest';
import { parseXrpAddress } from '#domain/address-xrp.ts';

const CLASSIC = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';

test('a classic address is good and carries no tag', () => {
  expect(parseXrpAddress(CLASSIC)).toEqual({
    kind: 'ok',
    address: { family: 'xrp', canonical: CLASSIC, display: CLASSIC, embeddedMemo: null, warnings: [] },
  });
});

// The vectors of the X-address specification.
describe('an X-address', () => {
  test.each([
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', null],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu', '1'],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS', '14'],
    ['X7AcgcsBL6XDcUb289X4mJ8djcdyKaLFuhLRuNXPrDeJd9A', '11747'],
  ])('%s is the classic one with the tag %s', (text, embeddedMemo) => {
    expect(parseXrpAddress(text)).toMatchObject({
      kind: 'ok',
      address: { canonical: CLASSIC, display: CLASSIC, embeddedMemo },
    });
  });

  test('of a test network is refused', () => {
    const text = 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ';
    expect(parseXrpAddress(text)).toMatchObject({ kind: 'refused', code: 'address_wrong_network' });
  });
});

test.each([
  ['a turned letter', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk5A', 'address_checksum'],
  ['a turned letter in an X-address', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqA', 'address_checksum'],
  ['a secret seed', 'sn259rEFXrQrWyx3Q7XneWcwV6dfL', 'address_malformed'],
  ['a zero digit', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk50', 'address_malformed'],
  ['account zero', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'address_unusable'],
  ['account one', 'rrrrrrrrrrrrrrrrrrrrBZbvji', 'address_unusable'],
  ['an old library’s "not a number"', 'rrrrrrrrrrrrrrrrrrrn5RM1rHd', 'address_unusable'],
  ['the name reservation account', 'rrrrrrrrrrrrrrrrrNAMEtxvNvQ', 'address_unusable'],
  ['an address of Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'address_wrong_network'],
])('%s is refused', (_name, text, code) => {
  expect(parseXrpAddress(text)).toMatchObject({ kind: 'refused', code });
});
