import { describe, expect, test } from 'vitest';
import { NOTICE_KINDS, type NoticeFacts, writeNotice } from './notice-text.ts';
import { NOTICE_WORDS } from './notice-words.ts';

const WITHDRAWAL = {
  id: '01a22db7-b3c8-70c9-886d-d9a8c5e0d320',
  asset: 'USDC',
  network: 'Ethereum',
  address: `0x${'ab'.repeat(20)}`,
  amountMinor: '12500000',
  decimals: 6,
  transactionHash: `0x${'cd'.repeat(32)}`,
};
const DATA = {
  label: 'Cold',
  address: '0xabc',
  network: 'ethereum',
  usableFrom: '2026-12-01T18:54:56.789+00:00',
  what: 'password',
  frozenUntil: '2026-12-02T01:30:00+02:00',
  url: 'http://localhost:3000/a?token=b',
};
const write = (facts: Partial<NoticeFacts>) =>
  writeNotice({ kind: 'password_reset', name: 'Ada', language: 'en', data: DATA, withdrawal: null, ...facts });

describe.each(['en', 'de'] as const)('mails in %s', (language) => {
  test.each(NOTICE_KINDS)('%s greets by name and leaves no word open', (kind) => {
    const { subject, text } = write({ kind, language, withdrawal: kind.startsWith('withdrawal_') ? WITHDRAWAL : null });
    expect(text.split('\n')[0]).toBe(NOTICE_WORDS[language].hello('Ada'));
    expect(`${subject}\n${text}`).not.toMatch(/undefined|null|NaN|\[object/);
  });

  test('a withdrawal names amount, address, network, transaction and reference in full', () => {
    const { subject, text } = write({ kind: 'withdrawal_completed', language, withdrawal: WITHDRAWAL });
    expect(subject).toContain(': 12.5 USDC');
    const { address, network, transactionHash, id } = WITHDRAWAL;
    for (const part of ['12.5 USDC', address, network, transactionHash, id]) expect(text).toContain(part);
  });

  test('times are told in UTC, to the minute', () => {
    expect(write({ kind: 'new_address', language }).text).toContain('2026-12-01 18:54 UTC');
    expect(write({ kind: 'security_change', language }).text).toContain('2026-12-01 23:30 UTC');
  });
});

test('no sentence of one language stands in the other', () => {
  for (const kind of NOTICE_KINDS) {
    const withdrawal = kind.startsWith('withdrawal_') ? WITHDRAWAL : null;
    const [english, german] = (['en', 'de'] as const).map((language) => write({ kind, language, withdrawal }));
    expect(german?.subject).not.toBe(english?.subject);
    const shared = english?.text.split('\n').filter((line) => line !== '' && german?.text.split('\n').includes(line));
    expect(shared?.filter((line) => !/^(Cold: |http|CryptoEx$)/.test(line))).toEqual([]);
  }
});
