import { expect, test } from 'vitest';
import { parseTronAddress } from '#domain/address-tron.ts';

test.each(['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW'])('%s is good', (text) => {
  expect(parseTronAddress(text)).toMatchObject({
    kind: 'ok',
    address: { family: 'tron', canonical: text, warnings: [] },
  });
});

test.each([
  ['a turned letter', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'address_checksum'],
  ['another letter case', 'Tr7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'address_checksum'],
  ['the hexadecimal spelling', '415a523b449890854c8fc460ab602df9f31fe4293f', 'address_malformed'],
  ['a character too few', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6', 'address_malformed'],
  ['nobody’s key', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'address_unusable'],
  ['an address of Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'address_wrong_network'],
  ['an address of Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'address_wrong_network'],
  ['an address of XRP', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', 'address_wrong_network'],
])('%s is refused', (_name, text, code) => {
  expect(parseTronAddress(text)).toMatchObject({ kind: 'refused', code });
});
