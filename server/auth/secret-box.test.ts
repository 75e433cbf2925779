import { expect, test } from 'vitest';
import { openSecret, sealSecret } from './secret-box.ts';

const KEY = 'a secret that only tests know, of some length';
const TEXT = 'JBSWY3DPEHPK3PXP';

test('what was sealed is opened with the same key, every time, and never looks the same', () => {
  const first = sealSecret(TEXT, KEY);
  const second = sealSecret(TEXT, KEY);
  expect([openSecret(first, KEY), openSecret(second, KEY)]).toEqual([TEXT, TEXT]);
  expect(first.equals(second)).toBe(false);
  expect(first.includes(Buffer.from(TEXT))).toBe(false);
});

test('another key opens nothing', () => {
  expect(() => openSecret(sealSecret(TEXT, KEY), `${KEY}!`)).toThrow();
});

test('a change of any byte, and a missing one, is noticed', () => {
  const sealed = sealSecret(TEXT, KEY);
  for (let place = 0; place < sealed.length; place += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(sealed.readUInt8(place) ^ 1, place);
    expect(() => openSecret(changed, KEY), `byte ${place}`).toThrow();
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => openSecret(sealed.subarray(0, length), KEY), `${length} bytes`).toThrow();
  }
});

test('an empty text and one outside ASCII come back as they were', () => {
  for (const text of ['', 'Schlüssel 🔑']) expect(openSecret(sealSecret(text, KEY), KEY)).toBe(text);
});
