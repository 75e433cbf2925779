import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  forgetPerson,
  listPending,
  readDraftText,
  readSettled,
  settleDraft,
  writeDraft,
  writePending,
  writePerson,
} from './browser-store.ts';
import { newPendingRecord } from './pending-record.ts';
import { noteAccepted, noteAnswer } from './reserve-send.ts';

const ALICE = '0b0c8d7e-2f5e-4f66-9a53-1c4f1d0f7a01';
const BOB = '0b0c8d7e-2f5e-4f66-9a53-1c4f1d0f7a02';
const WITHDRAWAL = '4c8ab5e3-57a4-4d8e-9df0-3c1e9a3b1f11';
const NOW = '2026-11-30T12:00:00.000Z';
const draft = {
  draftId: '9f1f0a3c-7a53-4b55-8a39-c1f50b7f6e21',
  createdAt: NOW,
  asset: 'USDC',
  network: 'ethereum',
  networkName: 'Ethereum',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  memo: null,
  amount: '7',
  arrives: '7',
  fee: '0.5',
  total: '7.5',
  feeMode: 'on_top' as const,
  lookAlikeOf: null,
};
const { draftId } = draft;
const place = { personId: ALICE, draftId };
const pending = newPendingRecord({ key: WITHDRAWAL, draftId, fingerprint: 'f'.repeat(64), mintedAt: NOW });

let kept: Record<string, string>;

beforeEach(() => {
  kept = {};
  const methods = {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => {
      kept[name] = text;
    },
    removeItem: (name: string) => {
      delete kept[name];
    },
  };
  // Its entries are its own names, as in a browser.
  const localStorage = new Proxy(methods, {
    ownKeys: () => Object.keys(kept),
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  vi.stubGlobal('window', { localStorage });
  vi.stubGlobal('navigator', {});
  writePerson(ALICE);
  expect(writeDraft(ALICE, draft, Date.parse(NOW))).toBe(true);
  expect(writePending(ALICE, pending)).toBe(true);
});

afterEach(() => vi.unstubAllGlobals());

test('an accepted draft is remembered by its withdrawal, and its key is dropped', async () => {
  await noteAccepted(place, WITHDRAWAL);
  expect(readSettled(ALICE, draftId)).toBe(WITHDRAWAL);
  expect(listPending(ALICE)).toEqual([]);
});

test('an answer that lands after the sign-out writes nothing of the person who left', async () => {
  forgetPerson(ALICE);
  await noteAnswer(place, pending.key);
  await noteAccepted(place, WITHDRAWAL);
  expect(kept).toEqual({});
});

test('a review that is opened late, after the sign-out, is not stored', () => {
  forgetPerson(ALICE);
  expect(writeDraft(ALICE, { ...draft, draftId: WITHDRAWAL }, Date.parse(NOW))).toBe(false);
  expect(Object.keys(kept)).toEqual([`cryptoex:pending:${ALICE}:${draftId}`]);
});

test('a draft of somebody who was replaced without a sign-out is never left open to a second key', () => {
  writePerson(BOB);
  settleDraft(ALICE, draftId, WITHDRAWAL);
  expect(readSettled(ALICE, draftId)).toBeNull();
  expect(readDraftText(ALICE, draftId)).toBeNull();
  expect(listPending(ALICE)).toEqual([]);
});
