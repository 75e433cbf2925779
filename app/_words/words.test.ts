import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REFUSALS } from '#domain/refusal.ts';
import { CUSTODY_ANSWER_CONTRACT } from '#server/custody/custody-answer-contract.ts';
import { de } from './de.ts';
import { deAccount } from './de-account.ts';
import { deEntry } from './de-entry.ts';
import { deRefusals } from './de-refusals.ts';
import { deSecondFactor } from './de-second-factor.ts';
import { en } from './en.ts';
import { enAccount } from './en-account.ts';
import { enEntry } from './en-entry.ts';
import { deError, enError } from './en-error.ts';
import { enSecondFactor } from './en-second-factor.ts';

const FILES = [
  ['the withdraw pages', en, de],
  ['the pages around an account', enAccount, deAccount],
  ['the pages before sign-in', enEntry, deEntry],
  ['the second factor', enSecondFactor, deSecondFactor],
  ['the page that says another broke', enError, deError],
] as const;

/** Each word by its path, functions called with texts that cannot be mistaken for words. */
function wordsOf(words: object, path = ''): [path: string, text: string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const here = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'function') return [[here, String(value('«1»', '«2»', '«3»'))]];
    return typeof value === 'object' && value !== null ? wordsOf(value, here) : [[here, String(value)]];
  });
}

/** Names, and words that both languages share. */
const SHARED = /^(language|site\.(name|otherLanguageCode))$/;
const SAME_IN_BOTH = new Set([
  'Operator',
  'CryptoEx',
  'Passkeys',
  'Passkey',
  'Name',
  'Details',
  'Coin',
  'Status',
  'Memo',
  'Destination Tag',
  'Max',
]);

test.each(FILES)('%s: German has every word that English has, and no other', (_name, english, german) => {
  expect(
    wordsOf(german)
      .map(([path]) => path)
      .sort(),
  ).toEqual(
    wordsOf(english)
      .map(([path]) => path)
      .sort(),
  );
});

test.each(FILES)('%s: nothing is left in English or empty', (_name, english, german) => {
  const texts = new Map(wordsOf(english));
  const left = wordsOf(german).filter(
    ([path, text]) => text.trim() === '' || (text === texts.get(path) && !SHARED.test(path) && !SAME_IN_BOTH.has(text)),
  );
  // What the server said, shown as it said it.
  expect(left.filter(([, text]) => !/^«\d»$/.test(text))).toEqual([]);
});

test.each(FILES)('%s: a sentence names in German what it names in English', (_name, english, german) => {
  const parts = (text: string) => [...new Set(text.match(/«\d»/g))].sort();
  const texts = new Map(wordsOf(english));
  for (const [path, text] of wordsOf(german)) expect([path, parts(text)]).toEqual([path, parts(texts.get(path) ?? '')]);
});

test('every refusal has a German sentence', () => {
  expect(Object.keys(deRefusals).sort()).toEqual(Object.keys(REFUSALS).sort());
});

test.each([
  'waiting_for_dispatch',
  'custody_unreachable',
  'custody_unavailable',
  ...payoutStops(),
  ...CUSTODY_ANSWER_CONTRACT.laterReasons.map(({ code }) => code),
])('whoever waits because of %s reads that, and not that we check how far it got', (reason) => {
  for (const words of [en, de]) expect(words.waitReason(reason)).not.toBe(words.waitReason('looking_up'));
  expect(de.waitReason(reason)).not.toBe(en.waitReason(reason));
});

test.each([...CUSTODY_ANSWER_CONTRACT.finalReasons.map(({ code }) => code), 'absence_proved', 'a code of tomorrow'])(
  'whoever was accepted and not paid because of %s reads so in their language',
  (code) => {
    expect(de.failure(code)).toMatch(/wieder in Ihrem Guthaben\.$/);
    expect(en.failure(code)).toMatch(/back in your balance/);
  },
);

test('what custody refuses for good is not only said to have failed', () => {
  for (const { code } of CUSTODY_ANSWER_CONTRACT.finalReasons) {
    for (const words of [en, de]) expect(words.failure(code)).not.toBe(words.failure('absence_proved'));
  }
});

/** Every reason for which the database lets nothing be sent, as its last migration about it spells them. */
function payoutStops(): string[] {
  const folder = join(import.meta.dirname, '../../prisma/migrations');
  const files = readdirSync(folder)
    .filter((name) => !name.endsWith('.toml'))
    .sort();
  const bodies = files.flatMap((name) => {
    const text = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
    return [...text.matchAll(/function payout_stops\(w withdrawals\).*?\$\$(.*?)\$\$/gs)].map(([, body]) => body ?? '');
  });
  const body = bodies.at(-1);
  if (body === undefined) throw new Error('no migration makes payout_stops');
  const scopes = [...body.matchAll(/x\.scope = '(\w+)'/g)].map(([, scope]) => `paused_${scope}`);
  return [...scopes, ...[...body.matchAll(/then '(\w+)'/g)].map(([, name]) => name ?? '')];
}
