/**
 * What the browser keeps of a key that may be on its way: enough to ask about it, nothing that says what was withdrawn.
 * It has no expiry, because a key used two years ago still names its withdrawal.
 */
export type PendingRecord = {
  key: string;
  draftId: string;
  /** A hash of the reviewed values; the values themselves stay out of this record. */
  fingerprint: string;
  /** ISO time at which the key was minted, by the page's clock. */
  mintedAt: string;
  /** Sends of this key that no server has answered. While it is above zero, only evidence ends the key. */
  unansweredSends: number;
};

/** A fresh record: minted, stored, not yet sent. */
export function newPendingRecord(input: {
  key: string;
  draftId: string;
  fingerprint: string;
  mintedAt: string;
}): PendingRecord {
  return { ...input, unansweredSends: 0 };
}

/** The record as it must be stored before one more copy of the request leaves. */
export function withSend(record: PendingRecord): PendingRecord {
  return { ...record, unansweredSends: record.unansweredSends + 1 };
}

/** The record after a server answered one send, whatever it said. */
export function withAnswer(record: PendingRecord): PendingRecord {
  return { ...record, unansweredSends: Math.max(0, record.unansweredSends - 1) };
}

/** Whether the request behind this key may have reached the server. */
export function mayHaveArrived(record: PendingRecord): boolean {
  return record.unansweredSends > 0;
}

/** Reads a stored record; null for text that is not one, so that a foreign entry never becomes a key. */
export function parsePendingRecord(text: string | null): PendingRecord | null {
  const value = parseObject(text);
  if (value === null) return null;
  const { key, draftId, fingerprint, mintedAt, unansweredSends } = value;
  if (typeof key !== 'string' || typeof draftId !== 'string' || typeof fingerprint !== 'string') return null;
  if (typeof mintedAt !== 'string' || typeof unansweredSends !== 'number') return null;
  if (!Number.isInteger(unansweredSends) || unansweredSends < 0) return null;
  return { key, draftId, fingerprint, mintedAt, unansweredSends };
}

/** The object a stored text holds, or null for anything else. */
export function parseObject(text: string | null): Record<string, unknown> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null; // A damaged entry is the same as none: it was never a key that we wrote.
  }
}
