import { stack } from './running-stack.ts';

/** One line of the log that custody only ever appends to. */
export interface CustodyLogEntry {
  readonly seq: number;
  readonly kind: string;
  readonly transferId: string | null;
  readonly externalId: string | null;
  readonly details: { readonly address?: string; readonly amount?: string; readonly fault?: string };
}

/** A request to make a transfer, as it reached custody. */
export interface CustodyRequest {
  readonly externalId: string | null;
  readonly bodyHash: string | null;
  readonly outcome: string;
}

/** Everything custody has ever done, in the order of its commits. */
export function readCustodyLog(): Promise<CustodyLogEntry[]> {
  return readAll<CustodyLogEntry>('/control/log');
}

/** Every request to make a transfer that custody has ever seen, repeated ones too. */
export function readCustodyRequests(): Promise<(CustodyRequest & { seq: number })[]> {
  return readAll<CustodyRequest & { seq: number }>('/control/requests');
}

/** Breaks custody in one way; see mock-custody/faults/fault-kinds.ts. */
export async function setCustodyFault(order: { kind: string } & Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${stack.urls.custody}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`the fault ${order.kind} was answered ${answer.status}: ${await answer.text()}`);
}

/** Mends custody. */
export async function clearCustodyFaults(): Promise<void> {
  const answer = await fetch(`${stack.urls.custody}/control/faults`, { method: 'DELETE' });
  if (!answer.ok) throw new Error(`clearing the faults was answered ${answer.status}`);
}

async function readAll<Entry extends { seq: number }>(path: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let after = 0; ; ) {
    const answer = await fetch(`${stack.urls.custody}${path}?after=${after}`);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    const { data }: { data: Entry[] } = await answer.json();
    const last = data.at(-1);
    if (last === undefined) return entries;
    entries.push(...data);
    after = last.seq;
  }
}
