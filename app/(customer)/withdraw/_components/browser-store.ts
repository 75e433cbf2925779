import { type PendingRecord, parsePendingRecord } from './pending-record.ts';
import { parseWithdrawalDraft, type WithdrawalDraft } from './withdrawal-draft.ts';

// One entry for each (person, draft): two tabs never read, change and write one common list.
const PREFIX = 'cryptoex';
const PERSON = `${PREFIX}:person`;
const DRAFT_LIFE_MS = 24 * 60 * 60 * 1000; // A review older than a day quotes a fee nobody should still rely on.

const listeners = new Set<() => void>();

function entryName(kind: 'draft' | 'pending' | 'settled', personId: string, draftId: string): string {
  return `${PREFIX}:${kind}:${personId}:${draftId}`;
}

/** Calls back on every change, by this tab or another one. Returns the way to stop. */
export function subscribeToStore(onChange: () => void): () => void {
  listeners.add(onChange);
  window.addEventListener('storage', onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** The raw text of a draft, for React to compare by value. */
export function readDraftText(personId: string, draftId: string): string | null {
  return read(entryName('draft', personId, draftId));
}

/**
 * Stores a reviewed request and forgets those of yesterday. False where the browser refuses to store anything, and where the
 * person has left meanwhile: what was asked of the server before may be answered after the sign-out.
 */
export function writeDraft(personId: string, draft: WithdrawalDraft, nowMs: number): boolean {
  if (readPerson() !== personId) return false;
  dropOldDrafts(personId, nowMs);
  return write(entryName('draft', personId, draft.draftId), JSON.stringify(draft));
}

export function readPending(personId: string, draftId: string): PendingRecord | null {
  return parsePendingRecord(read(entryName('pending', personId, draftId)));
}

/** Stores the key before it is sent. False where the browser refuses: the request must then not leave. */
export function writePending(personId: string, record: PendingRecord): boolean {
  return write(entryName('pending', personId, record.draftId), JSON.stringify(record));
}

/** Forgets a key that got its definitive answer or was given up. */
export function dropPending(personId: string, draftId: string): void {
  remove(entryName('pending', personId, draftId));
}

/** Every key of this person that may still be on its way, oldest first. */
export function listPending(personId: string): PendingRecord[] {
  return names(entryName('pending', personId, ''))
    .map((name) => parsePendingRecord(read(name)))
    .filter((record) => record !== null)
    .sort((a, b) => a.mintedAt.localeCompare(b.mintedAt));
}

/** The id of the withdrawal that this draft became, or null. */
export function readSettled(personId: string, draftId: string): string | null {
  return read(entryName('settled', personId, draftId));
}

/**
 * The draft became a withdrawal: remembered before the key is dropped, so that no moment allows a second key. Where it cannot
 * be remembered the draft goes instead; of a person who has left, nothing is written any more.
 */
export function settleDraft(personId: string, draftId: string, withdrawalId: string): void {
  const remembered = readPerson() === personId && write(entryName('settled', personId, draftId), withdrawalId);
  if (!remembered) remove(entryName('draft', personId, draftId));
  dropPending(personId, draftId);
}

/** Names the person this browser is signed in as; other tabs notice a change. */
export function writePerson(personId: string): void {
  if (read(PERSON) !== personId) write(PERSON, personId);
}

export function readPerson(): string | null {
  return read(PERSON);
}

/** Calls back when another tab signs somebody else in, or signs this person out. Returns the way to stop. */
export function watchPerson(personId: string, onChange: () => void): () => void {
  const look = (event: StorageEvent) => {
    if (event.key === PERSON && event.newValue !== personId) onChange();
  };
  window.addEventListener('storage', look);
  return () => window.removeEventListener('storage', look);
}

/** Sign-out: everything of the person goes but the bare pending keys, which hold no detail. */
export function forgetPerson(personId: string): void {
  for (const kind of ['draft', 'settled'] as const) names(entryName(kind, personId, '')).forEach(remove);
  remove(PERSON);
}

function dropOldDrafts(personId: string, nowMs: number): void {
  for (const name of names(entryName('draft', personId, ''))) {
    const draft = parseWithdrawalDraft(read(name));
    if (draft !== null && nowMs - Date.parse(draft.createdAt) < DRAFT_LIFE_MS) continue;
    // The draft goes before its mark: a mark without a draft is harmless, a draft without its mark could be sent again.
    remove(name);
    if (draft !== null) remove(entryName('settled', personId, draft.draftId));
  }
}

function names(prefix: string): string[] {
  try {
    return Object.keys(window.localStorage).filter((name) => name.startsWith(prefix));
  } catch {
    return [];
  }
}

function read(name: string): string | null {
  try {
    return window.localStorage.getItem(name);
  } catch {
    return null; // Storage is blocked: nothing was ever stored, and `write` says so before anything is sent.
  }
}

function write(name: string, text: string): boolean {
  try {
    window.localStorage.setItem(name, text);
    return window.localStorage.getItem(name) === text;
  } catch {
    return false;
  } finally {
    tellListeners();
  }
}

function remove(name: string): void {
  try {
    window.localStorage.removeItem(name);
  } catch {
    return;
  } finally {
    tellListeners();
  }
}

function tellListeners(): void {
  for (const listener of listeners) listener();
}
