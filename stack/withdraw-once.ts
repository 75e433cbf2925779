import { randomBytes, randomUUID } from 'node:crypto';
import { getAddress } from 'viem';
import { DEMO_PASSWORD, demoEmail } from '#server/auth/demo-people.ts';
import { waitUntil } from './wait-until.ts';

const CUSTOMER = { email: demoEmail('alice'), password: DEMO_PASSWORD };
// Twelve blocks of a second, and as much again for a machine that is busy with other things.
const COMPLETED_WITHIN_MS = 120_000;

type Withdrawal = { withdrawalId: string; status: string; transactionHash?: string | null };
type LogEntry = { seq: number; kind: string; externalId: string | null };

/**
 * Makes one withdrawal the way a browser does, by HTTP alone, and asks custody's own log how often it was paid.
 *
 * @throws unless it is completed by exactly one transfer
 */
export async function withdrawOnce(input: {
  webUrl: string;
  custodyUrl: string;
}): Promise<{ withdrawalId: string; transactionHash: string; durationMs: number }> {
  const call = await signIn(input.webUrl);
  const idempotencyKey = randomUUID();
  const startedAt = performance.now();
  const { withdrawal: accepted } = await call<{ withdrawal: Withdrawal }>('withdrawal.request', {
    headers: { 'idempotency-key': idempotencyKey },
    body: {
      asset: 'USDC',
      network: 'ethereum',
      // Nobody's: the transfer must be the only one this address ever sees.
      address: getAddress(`0x${randomBytes(20).toString('hex')}`),
      memo: null,
      amount: '1.5',
      feeMode: 'on_top',
    },
  });
  let latest = accepted;
  await waitUntil(
    async () => {
      latest = await call<Withdrawal>('withdrawal.byId', { query: { withdrawalId: accepted.withdrawalId } });
      if (['failed', 'refused', 'rejected', 'cancelled'].includes(latest.status)) {
        throw new Error(`withdrawal ${accepted.withdrawalId} ended as ${latest.status}`);
      }
      return latest.status === 'completed';
    },
    {
      what: `withdrawal ${accepted.withdrawalId} was not completed`,
      withinMs: COMPLETED_WITHIN_MS,
      everyMs: 100,
    },
  );
  const durationMs = Math.round(performance.now() - startedAt);
  const transfers = await countTransfers(input.custodyUrl, idempotencyKey);
  if (transfers !== 1) throw new Error(`custody's log has ${transfers} transfers for ${accepted.withdrawalId}, not 1`);
  if (!latest.transactionHash)
    throw new Error(`withdrawal ${accepted.withdrawalId} is completed without a transaction`);
  return { withdrawalId: accepted.withdrawalId, transactionHash: latest.transactionHash, durationMs };
}

type Call = <Answer>(
  procedure: string,
  input: { query: unknown } | { body: unknown; headers: Record<string, string> },
) => Promise<Answer>;

/** Signs the demo customer in. @returns a caller of our tRPC procedures with her session */
async function signIn(webUrl: string): Promise<Call> {
  const answer = await fetch(`${webUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: webUrl },
    body: JSON.stringify(CUSTOMER),
  });
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return async (procedure, input) => {
    const query = 'query' in input ? `?input=${encodeURIComponent(JSON.stringify(input.query))}` : '';
    const request =
      'query' in input
        ? { headers: { cookie, origin: webUrl } }
        : {
            method: 'POST',
            headers: { cookie, origin: webUrl, 'content-type': 'application/json', ...input.headers },
            body: JSON.stringify(input.body),
          };
    const response = await fetch(`${webUrl}/api/trpc/${procedure}${query}`, request);
    const text = await response.text();
    if (!response.ok) throw new Error(`${procedure} answered ${response.status}: ${text}`);
    return JSON.parse(text).result.data;
  };
}

async function countTransfers(custodyUrl: string, idempotencyKey: string): Promise<number> {
  let transfers = 0;
  for (let after = 0; ; ) {
    const answer = await fetch(`${custodyUrl}/control/log?after=${after}`);
    if (!answer.ok) throw new Error(`custody's log answered ${answer.status}`);
    const { data } = (await answer.json()) as { data: LogEntry[] };
    transfers += data.filter((entry) => entry.kind === 'created' && entry.externalId === idempotencyKey).length;
    const last = data.at(-1);
    if (!last) return transfers;
    after = last.seq;
  }
}
