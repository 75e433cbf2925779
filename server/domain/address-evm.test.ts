import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseEvmAddress } from '#domain/address-evm.ts';

// The vectors of EIP-55.
const PUBLISHED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('AD02: letter case', () => {
  test.each(PUBLISHED)('%s is good, and every spelling of it is one address', (published) => {
    const digits = published.slice(2);
    const canonical = published.toLowerCase();
    const good = { family: 'evm', canonical, display: published, embeddedMemo: null };
    expect(parseEvmAddress(published)).toEqual({ kind: 'ok', address: { ...good, warnings: [] } });
    for (const text of [
      `0x${digits.toLowerCase()}`,
      `0x${digits.toUpperCase()}`,
      `0X${digits.toUpperCase()}`,
      `0X${digits}`,
    ]) {
      expect(parseEvmAddress(text)).toMatchObject({ kind: 'ok', address: good });
    }
  });

  test('one letter case throughout is a warning, for it hides a mistyped character', () => {
    const lower = PUBLISHED[4]?.toLowerCase() ?? '';
    expect(parseEvmAddress(lower)).toMatchObject({ kind: 'ok', address: { warnings: ['no_checksum'] } });
    expect(parseEvmAddress(`0x${'1'.repeat(40)}`)).toMatchObject({ kind: 'ok', address: { warnings: [] } });
  });

  test('a mixed case with one letter turned is refused', () => {
    expect(parseEvmAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD')).toMatchObject({ code: 'address_checksum' });
    expect(parseEvmAddress('0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed')).toMatchObject({ code: 'address_checksum' });
  });

  test('whichever letter is turned, the checksum shows it', () => {
    const published = PUBLISHED[4] ?? '';
    const letters = [...published].flatMap((letter, index) => (index > 1 && /[a-f]/i.test(letter) ? [index] : []));
    fc.assert(
      fc.property(fc.constantFrom(...letters), (index) => {
        const letter = published.charAt(index);
        const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        const result = parseEvmAddress(published.slice(0, index) + turned + published.slice(index + 1));
        expect(result).toMatchObject({ kind: 'refused', code: 'address_checksum' });
      }),
    );
  });
});

describe('AD08: destinations that keep the coins', () => {
  test.each([`0x${'0'.repeat(40)}`, '0x000000000000000000000000000000000000dEaD'])('%s is for burning', (text) => {
    expect(parseEvmAddress(text)).toMatchObject({ kind: 'refused', code: 'address_unusable' });
  });

  test('the address before zero and after it is only an address', () => {
    expect(parseEvmAddress(`0x${'0'.repeat(39)}1`)).toMatchObject({ kind: 'ok' });
    expect(parseEvmAddress(`0x${'f'.repeat(40)}`)).toMatchObject({ kind: 'ok' });
  });
});

test.each([
  ['39 digits', `0x${'a'.repeat(39)}`],
  ['41 digits', `0x${'a'.repeat(41)}`],
  ['no prefix', 'a'.repeat(40)],
  ['a hash or a private key', `0x${'a'.repeat(64)}`],
  ['a private key without a prefix', 'a'.repeat(64)],
  ['a letter that is no hexadecimal digit', `0x${'a'.repeat(39)}g`],
  ['a doubled prefix', `0x0x${'a'.repeat(38)}`],
  ['a name', 'vitalik.eth'],
])('%s is malformed', (_name, text) => {
  expect(parseEvmAddress(text)).toMatchObject({ kind: 'refused', code: 'address_malformed' });
});
