import {
  dropPending,
  readDraftText,
  readPending,
  readPerson,
  readSettled,
  settleDraft,
  writePending,
} from './browser-store.ts';
import { mintKey } from './mint-key.ts';
import { newPendingRecord, type PendingRecord, withAnswer, withSend } from './pending-record.ts';
import { runUnderLock } from './run-under-lock.ts';

export type Reservation =
  | { kind: 'send'; record: PendingRecord }
  /** An earlier copy is unanswered: look the key up first, then reserve again. */
  | { kind: 'look_up_first'; record: PendingRecord }
  | { kind: 'settled'; withdrawalId: string }
  | { kind: 'not_reached'; reason: 'offline' | 'storage' }
  | { kind: 'gone' };

type Place = { personId: string; draftId: string };

/**
 * Finds or mints the key of a reviewed request and stores one more send of it, before anything leaves. `lookedUp` says
 * that the key was asked about since the last send. `online` is what the browser says; offline nothing is sent later by
 * surprise.
 */
export function reserveSend(
  place: Place,
  input: { fingerprint: string; now: string; online: boolean; lookedUp: boolean },
): Promise<Reservation> {
  return runUnderLock(lockName(place), () => {
    const settled = readSettled(place.personId, place.draftId);
    if (settled !== null) return { kind: 'settled', withdrawalId: settled };
    // Without its draft a key would be minted for a review that was signed out of: the mark of its success went with it.
    if (readPerson() !== place.personId || readDraftText(place.personId, place.draftId) === null) {
      return { kind: 'gone' };
    }
    const known = readPending(place.personId, place.draftId);
    const record = known ?? newPendingRecord({ key: mintKey(window.crypto), draftId: place.draftId, ...minted(input) });
    // A record of other values: their key is not ours to use, and must not be overwritten.
    if (record.fingerprint !== input.fingerprint) return { kind: 'gone' };
    if (!input.online) {
      return writePending(place.personId, record)
        ? { kind: 'not_reached', reason: 'offline' }
        : { kind: 'not_reached', reason: 'storage' };
    }
    if (record.unansweredSends > 0 && !input.lookedUp) return { kind: 'look_up_first', record };
    const sending = withSend(record);
    if (!writePending(place.personId, sending)) return { kind: 'not_reached', reason: 'storage' };
    return { kind: 'send', record: sending };
  });
}

/** Notes that a server answered one send. Returns how many sends of the key are still unanswered. */
export function noteAnswer(place: Place, key: string): Promise<number> {
  return runUnderLock(lockName(place), () => {
    const record = readPending(place.personId, place.draftId);
    if (record === null || record.key !== key) return 0;
    const answered = withAnswer(record);
    writePending(place.personId, answered);
    return answered.unansweredSends;
  });
}

/** Ends a key with its withdrawal. */
export function noteAccepted(place: Place, withdrawalId: string): Promise<void> {
  return runUnderLock(lockName(place), () => settleDraft(place.personId, place.draftId, withdrawalId));
}

/** Ends a key that was refused for good or given up. Another tab's newer key is left alone. */
export function noteEnded(place: Place, key: string): Promise<void> {
  return runUnderLock(lockName(place), () => {
    if (readPending(place.personId, place.draftId)?.key === key) dropPending(place.personId, place.draftId);
  });
}

function minted(input: { fingerprint: string; now: string }) {
  return { fingerprint: input.fingerprint, mintedAt: input.now };
}

function lockName(place: Place): string {
  return `cryptoex:withdrawal:${place.personId}:${place.draftId}`;
}
