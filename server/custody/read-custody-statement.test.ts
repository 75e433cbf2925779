import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { readCustodyStatement, readStatementKeys } from './read-custody-statement.ts';

const pair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { text: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'), privateKey };
};
const [custody, other] = [pair(), pair()];
const keys = readStatementKeys([other.text, custody.text]);
const says = {
  statement: 'no_transfer',
  externalId: '018f6d3a-0000-7000-8000-000000000001',
  made: false,
  willMake: false,
  signedAt: '2026-11-30T12:00:00.000Z',
};
const signed = (body: string, key: KeyObject) => sign(null, Buffer.from(body), key).toString('base64');
const read = (more: object, key = custody.privateKey) => {
  const body = JSON.stringify({ ...says, ...more });
  return readCustodyStatement(keys, { body, signature: signed(body, key) });
};

test('a statement that custody signed is read, under the key that signed it', () => {
  expect(read({})).toMatchObject({
    kind: 'read',
    statement: {
      says: 'no_transfer',
      externalId: says.externalId,
      signedAt: new Date(says.signedAt),
      keySha256: keys[1]?.sha256,
    },
  });
});

test('that a transfer was not paid and will not be is another sentence, and each is said whole', () => {
  const neverPaid = { statement: 'never_paid', paid: false, willPay: false };
  expect(read(neverPaid)).toMatchObject({ kind: 'read', statement: { says: 'never_paid' } });
  for (const more of [{ paid: true }, { willPay: true }, { willPay: undefined }])
    expect(read({ ...neverPaid, ...more }).kind).toBe('says_something_else');
  expect(read({ statement: 'never_paid' }).kind).toBe('says_something_else');
});

test('what nobody of custody signed is no statement, and a changed byte is another text', () => {
  expect(read({}, pair().privateKey).kind).toBe('not_signed');
  const body = JSON.stringify(says);
  const signature = signed(body, custody.privateKey);
  expect(readCustodyStatement(keys, { body: `${body} `, signature }).kind).toBe('not_signed');
  expect(readCustodyStatement(keys, { body, signature: '' }).kind).toBe('not_signed');
  expect(readCustodyStatement([], { body, signature }).kind).toBe('not_signed');
});

test.each([
  { made: true },
  { willMake: true },
  { willMake: undefined },
  { statement: 'sorry' },
  { externalId: 'mine' },
])('a signature under %j releases nothing', (more) => {
  expect(read(more).kind).toBe('says_something_else');
});

test('a key of another kind is refused where it is configured', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  expect(() => readStatementKeys([text])).toThrow('Ed25519');
});
