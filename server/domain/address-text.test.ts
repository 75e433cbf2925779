import { describe, expect, test } from 'vitest';
import { type AddressResult, parseAddress } from '#domain/address.ts';
import { cleanAddressText, hasInvisibleCharacter } from '#domain/address-text.ts';
import { NETWORK_FAMILIES, type NetworkFamily } from '#domain/asset.ts';

const GOOD: Readonly<Record<NetworkFamily, string>> = {
  evm: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  bitcoin: 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  tron: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  solana: 'So11111111111111111111111111111111111111112',
  xrp: 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
};

function codeOf(result: AddressResult): string {
  return result.kind === 'ok' ? 'ok' : result.code;
}

describe('AD01: pasted text', () => {
  test.each(NETWORK_FAMILIES)('of %s loses plain spaces and line ends at its edges, and is one address', (family) => {
    const good = parseAddress(family, GOOD[family]);
    expect(good.kind).toBe('ok');
    for (const text of [` ${GOOD[family]}`, `${GOOD[family]} \r\n`, `\t${GOOD[family]}\n`]) {
      expect(parseAddress(family, text), JSON.stringify(text)).toEqual(good);
    }
  });

  test.each([
    ['a zero-width space inside', 5, '\u200b', 'invisible'],
    ['a zero-width joiner inside', 5, '\u200d', 'invisible'],
    ['a byte order mark in front', 0, '\ufeff', 'invisible'],
    ['a right-to-left override', 5, '\u202e', 'invisible'],
    ['a soft hyphen', 9, '\u00ad', 'invisible'],
    ['a filler', 9, '\u3164', 'invisible'],
    ['a variation selector', 9, '\ufe0f', 'invisible'],
    ['a tag character', 9, '\u{e0041}', 'invisible'],
    ['a line end inside', 9, '\n', 'invisible'],
    ['a null', 9, '\0', 'invisible'],
    ['a hard space in front', 0, '\u00a0', 'space'],
    ['a space inside', 5, ' ', 'space'],
    ['a wide space', 5, '\u3000', 'space'],
    ['a Cyrillic letter', 5, '\u0430', 'another alphabet'],
    ['a Greek letter', 5, '\u03bf', 'another alphabet'],
    ['a full-width digit', 5, '\uff11', 'another alphabet'],
  ])('with %s is refused by its name in every family', (_name, at, character, word) => {
    for (const family of NETWORK_FAMILIES) {
      const text = GOOD[family].slice(0, at) + character + GOOD[family].slice(at);
      const result = parseAddress(family, text);
      expect(result, family).toMatchObject({ kind: 'refused', code: 'address_malformed' });
      expect(result.kind === 'refused' ? result.detail : '', family).toContain(word);
    }
  });

  test.each(['', ' ', '\n\t', 'x'.repeat(101), 'x'.repeat(1_000_000)])(
    'of length %#: nothing or far too much is refused',
    (text) => {
      for (const family of NETWORK_FAMILIES) expect(codeOf(parseAddress(family, text))).toBe('address_malformed');
    },
  );

  test.each([
    ['evm', 'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@1'],
    ['bitcoin', 'bitcoin:bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0?amount=1'],
    ['solana', 'solana:So11111111111111111111111111111111111111112'],
    ['xrp', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59?dt=7'],
    ['evm', 'https://etherscan.io/address/0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ] as const)('of %s as a payment link is refused, for its other parts would be lost', (family, text) => {
    const result = parseAddress(family, text);
    expect(result).toMatchObject({ kind: 'refused', code: 'address_malformed' });
    expect(result.kind === 'refused' ? result.detail : '').toContain('payment link');
  });

  test('keeps what it shows byte for byte', () => {
    expect(cleanAddressText('  abc ')).toEqual({ kind: 'ok', text: 'abc' });
  });

  test('visible text has no invisible character', () => {
    expect(hasInvisibleCharacter('Tag für Müller 7')).toBe(false);
    expect(hasInvisibleCharacter('Tag\u2028')).toBe(true);
  });
});

describe('AD07: an address of another network', () => {
  const others = NETWORK_FAMILIES.flatMap((family) =>
    NETWORK_FAMILIES.filter((other) => other !== family).map((other) => [family, other] as const),
  );

  test.each(others)('chosen %s, pasted %s: never read as its own', (family, other) => {
    const code = codeOf(parseAddress(family, GOOD[other]));
    // Solana's addresses have no mark of their own, so theirs cannot be named.
    expect(code).toBe(other === 'solana' ? 'address_malformed' : 'address_wrong_network');
  });
});

test('a good address is canonical: reading its canonical form changes nothing', () => {
  for (const family of NETWORK_FAMILIES) {
    const first = parseAddress(family, GOOD[family]);
    if (first.kind === 'refused') throw new Error(first.detail);
    const again = parseAddress(family, first.address.canonical);
    expect(again).toMatchObject({ kind: 'ok', address: { canonical: first.address.canonical, family } });
    expect(parseAddress(family, first.address.display)).toMatchObject({
      address: { canonical: first.address.canonical },
    });
  }
});
