import { askUntilAnswered } from './ask-until-answered.ts';

/** One line of the log that custody only ever appends to. */
export interface CustodyLogEntry {
  readonly seq: number;
  readonly at: string;
  readonly kind: string;
  readonly transferId: string | null;
  readonly externalId: string | null;
  readonly idempotencyKey: string | null;
  readonly hash: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A request to make a transfer, as it reached custody. */
export interface CustodyRequest {
  readonly seq: number;
  readonly requestId: string;
  readonly externalId: string | null;
  readonly bodyHash: string | null;
  readonly outcome: string;
}

export interface CustodyProfile {
  readonly profile: string;
  readonly rules: { readonly referenceKept: boolean; readonly notAfterHonoured: boolean };
}

/** The laboratory's switches of the custody provider, and the log that nobody can change. */
export interface CustodyControl {
  readLog(): Promise<CustodyLogEntry[]>;
  readRequests(): Promise<CustodyRequest[]>;
  setFault(order: { kind: string } & Record<string, unknown>): Promise<void>;
  clearFaults(): Promise<void>;
  setProfile(profile: string): Promise<CustodyProfile>;
  setClock(offsetMs: number): Promise<void>;
  /** Another, dearer transaction for a transfer that hangs. */
  replace(transferId: string): Promise<void>;
}

const PAGE_SIZE = 10_000;
// A custody that was just killed is back within this; one that is stopped answers nothing for as long.
const BACK_WITHIN_MS = 60_000;

export function createCustodyControl(url: string): CustodyControl {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const ask = () =>
      fetch(`${url}/control${path}`, {
        method,
        signal: AbortSignal.timeout(10_000),
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
    const answer = await askUntilAnswered(ask, { withinMs: BACK_WITHIN_MS, isPassing: () => true });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} /control${path} answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  async function readAll<Entry extends { readonly seq: number }>(path: string): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let after = 0; ; ) {
      const page = (await call('GET', `${path}?after=${after}&limit=${PAGE_SIZE}`)) as { data: Entry[] };
      entries.push(...page.data);
      const last = page.data.at(-1);
      if (last === undefined) return entries;
      after = last.seq;
    }
  }

  return {
    readLog: () => readAll<CustodyLogEntry>('/log'),
    readRequests: () => readAll<CustodyRequest>('/requests'),
    setFault: async (order) => {
      await call('POST', '/faults', order);
    },
    clearFaults: async () => {
      await call('DELETE', '/faults');
    },
    setProfile: async (profile) => (await call('PUT', '/profile', { profile })) as CustodyProfile,
    setClock: async (offsetMs) => {
      await call('POST', '/clock', { offsetMs });
    },
    replace: async (transferId) => {
      await call('POST', `/transfers/${transferId}/replace`);
    },
  };
}
