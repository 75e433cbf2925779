import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { ApiTools } from '#server/api/context.ts';
import { createCustomerGate } from '#server/api/customer-gate.ts';
import type { AskedDeed } from '#server/api/deed-subject.ts';
import { createWebServer } from '#server/api/web-server.ts';
import { sessionCookieName } from '#server/auth/session-cookie.ts';
import { createSoftwarePasskey, type SoftwarePasskey } from '#server/auth/software-passkey.test-support.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import type { Database } from '#server/db/database.ts';
import { createAcceptanceBatch } from '#server/withdrawals/acceptance-batch.ts';
import { createCatalogueCache } from '#server/withdrawals/catalogue-cache.ts';
import type { WithdrawalView } from '#server/withdrawals/withdrawal-view.ts';

export const TEST_SECRET = 'a secret that only tests know, of some length';
export const TEST_ORIGIN = 'http://localhost:3000';

export interface ApiAnswer<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** What a procedure returned; reading it of a refusal throws. */
  readonly data: Data;
  readonly refusal: { code: string; message: string; fields?: string[]; withdrawalId?: string; detail?: string } | null;
}

export interface TestPerson {
  readonly userId: string;
  readonly email: string;
  readonly cookie: string;
  query<Data = unknown>(procedure: string, input?: unknown): Promise<ApiAnswer<Data>>;
  mutate<Data = unknown>(procedure: string, input: unknown, headers?: Record<string, string>): Promise<ApiAnswer<Data>>;
  /** Calls a dangerous deed with the signature of a passkey of this person's, made for exactly this deed. */
  confirm<Data = unknown>(
    procedure: string,
    input: object,
    about: AskedDeed,
    /** Happens between the question and the deed. */
    meanwhile?: () => Promise<unknown>,
  ): Promise<ApiAnswer<Data>>;
  /** `withdrawal.request` under a key. */
  request(input: unknown, key: string): Promise<ApiAnswer<{ replayed: boolean; withdrawal: WithdrawalView }>>;
}

export interface TestWeb {
  readonly url: string;
  /** Outbox rows that were handed to the relay. */
  readonly relayed: readonly bigint[];
  /** Calls as somebody whose session was opened with `openPerson`. */
  as(person: { userId: string; email: string; cookie: string }): TestPerson;
  close(): Promise<void>;
}

/** The web process without pages and queue, on a port of its own. */
export async function openTestWeb(db: Database, tools: Partial<ApiTools> = {}): Promise<TestWeb> {
  const relayed: bigint[] = [];
  const server = createWebServer({
    tools: {
      db,
      catalogue: createCatalogueCache({ db }),
      custody: null,
      gate: createCustomerGate({ runningMax: 4, waitingMax: 200 }),
      requestGate: createCustomerGate({ runningMax: 32, waitingMax: 200 }),
      accept: createAcceptanceBatch({ db }),
      relay: (outboxId) => relayed.push(outboxId),
      ...tools,
    },
    publicUrl: TEST_ORIGIN,
    authSecret: TEST_SECRET,
    dev: false,
    auth: (_request, response) => Promise.resolve(void response.writeHead(404).end()),
    demoSignIn: null,
    statics: null,
    receiveWebhook: () => Promise.resolve('refused'),
    pages: (_request, response) => Promise.resolve(void response.writeHead(200).end('page')),
    isStopping: () => false,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    relayed,
    as: (person) => toPerson({ url, db }, person),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Somebody who is signed in; a customer with these balances (asset → minor units), or staff with none. */
export async function openPerson(
  db: Database,
  input: { role?: string; balances?: Readonly<Record<string, bigint>>; tier?: string } = {},
): Promise<{ userId: string; email: string; cookie: string }> {
  const userId = randomUUID();
  const email = `${userId}@test.example`;
  const token = randomBytes(24).toString('base64url');
  await run(db, `insert into users (id, name, email, role) values ($1, 'Test Person', $2, $3)`, [
    userId,
    email,
    input.role ?? 'customer',
  ]);
  await run(db, `insert into sessions (id, token, user_id, expires_at) values ($1, $2, $3, now() + interval '1 day')`, [
    randomUUID(),
    token,
    userId,
  ]);
  if (input.role === undefined) {
    // Room enough, unless limits are what a test is about.
    await openCustomer({ db }, { userId, tier: input.tier ?? 'institution' });
  }
  for (const [assetId, minor] of Object.entries(input.balances ?? {})) {
    if (minor > 0n) await credit(db, { userId, assetId, minor });
  }
  return { userId, email, cookie: signCookie(token) };
}

/** Coins that arrive: a deposit in the ledger. */
export async function credit(db: Database, input: { userId: string; assetId: string; minor: bigint }): Promise<void> {
  await run(
    db,
    `with t as (insert into ledger_transfers (asset_id, kind, source_id) values ($2, 'deposit', gen_random_uuid()) returning id)
     insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
     select t.id, 1, $2, ledger_house_account($2, 'custody_hot'), b.available_account_id, $3
     from t, customer_balances b where b.customer_id = $1 and b.asset_id = $2`,
    [input.userId, input.assetId, input.minor.toString()],
  );
}

/** The cookie as the accounts library signs it. */
export function signCookie(token: string, secret = TEST_SECRET): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `${sessionCookieName(TEST_ORIGIN)}=${encodeURIComponent(`${token}.${signature}`)}`;
}

function run(db: Database, text: string, values: readonly unknown[]): Promise<object[]> {
  return db.query({ name: '', text }, values);
}

function toPerson(
  { url, db }: { url: string; db: Database },
  person: { userId: string; email: string; cookie: string },
): TestPerson {
  let passkey: Promise<SoftwarePasskey> | null = null;
  const post = { origin: TEST_ORIGIN, cookie: person.cookie, 'content-type': 'application/json' };
  const mutate = async <Data>(procedure: string, input: unknown, headers: Record<string, string> = {}) =>
    readAnswer<Data>(
      await fetch(`${url}/api/trpc/${procedure}`, {
        method: 'POST',
        headers: { ...post, ...headers },
        body: typeof input === 'string' ? input : JSON.stringify(input),
      }),
    );
  return {
    ...person,
    query: async <Data>(procedure: string, input?: unknown) => {
      const search = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return readAnswer<Data>(
        await fetch(`${url}/api/trpc/${procedure}${search}`, { headers: { cookie: person.cookie } }),
      );
    },
    mutate,
    confirm: async <Data>(procedure: string, input: object, about: AskedDeed, meanwhile?: () => Promise<unknown>) => {
      passkey ??= addPasskey(db, person.userId);
      const device = await passkey;
      type Asked = { challengeId: string; options: { challenge: string } };
      const { challengeId, options } = (await mutate<Asked>('operator.stepUp.begin', about)).data;
      const answer = device.answer({ challenge: options.challenge, origin: TEST_ORIGIN });
      await meanwhile?.();
      return mutate<Data>(procedure, { ...input, stepUp: { kind: 'passkey', challengeId, answer } });
    },
    request: (input, key) => mutate('withdrawal.request', input, { 'idempotency-key': key }),
  };
}

async function addPasskey(db: Database, userId: string): Promise<SoftwarePasskey> {
  const passkey = createSoftwarePasskey();
  const values = [randomUUID(), userId, passkey.credentialId, passkey.publicKey];
  await run(
    db,
    `insert into passkeys (id, user_id, credential_id, public_key, label) values ($1, $2, $3, $4, 'Test')`,
    values,
  );
  return passkey;
}

async function readAnswer<Data>(response: Response): Promise<ApiAnswer<Data>> {
  const text = await response.text();
  const body = JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    text,
    get data() {
      if (body.result === undefined) throw new Error(`refused: ${text}`);
      return body.result.data;
    },
    refusal: body.error?.data.refusal ?? null,
  };
}
