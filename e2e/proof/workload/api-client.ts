import { Agent, request } from 'node:http';
import type { Answer, History } from './history.ts';

/** One customer's browser, as far as our server can tell. */
export interface ApiClient {
  mutate(deed: Answer['deed'], call: Call): Promise<Answer>;
  /** The whole of an answer, for reading lists. Null where none came. */
  read(procedure: string, input: unknown): Promise<unknown>;
}

export interface Call {
  readonly procedure: string;
  readonly input: unknown;
  readonly key?: string;
  /** The client goes away so long after the last byte of its request; the answer reaches nobody. */
  readonly leavesAfterMs?: number;
}

// Longer than our door's own wait for the first of two twins (2 s), shorter than anybody looks at a spinner.
const ANSWER_WITHIN_MS = 6_000;
const LEAKS = [/node_modules|\.mjs[:"]|\.ts:\d|\bat \w+ \(|"stack"/, /relation "|syntax error|prisma|postgres/i];
const LEAK_SQL = /\b(select|insert|update)\b.+\b(from|into|set)\b/i;

/** Speaks to the API by HTTP alone; every answer is looked through for what must not be shown. */
export function createApiClient(input: { webUrl: string; cookie: string; history: History }): ApiClient {
  const { webUrl, history } = input;
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const headers = { cookie: input.cookie, origin: webUrl, 'content-type': 'application/json' };

  async function send(sent: Sent): Promise<Raw | null> {
    history.calls += 1;
    const raw = await sendOnce(agent, sent);
    if (raw !== null) watchForLeaks(history, sent, raw);
    return raw;
  }
  const get = (procedure: string, question: unknown) =>
    send({
      url: `${webUrl}/api/trpc/${procedure}${question === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(question))}`}`,
      method: 'GET',
      headers,
      body: null,
      leavesAfterMs: null,
    });

  return {
    async mutate(deed, { procedure, input: body, key, leavesAfterMs }) {
      const raw = await send({
        url: `${webUrl}/api/trpc/${procedure}`,
        method: 'POST',
        headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
        body: body === undefined ? null : JSON.stringify(body),
        leavesAfterMs: leavesAfterMs ?? null,
      });
      return toAnswer(deed, raw);
    },
    read: async (procedure, question) => {
      const raw = await get(procedure, question);
      return raw?.status === 200 ? readData(raw.text) : null;
    },
  };
}

interface Sent {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly leavesAfterMs: number | null;
}

interface Raw {
  readonly status: number;
  readonly text: string;
}

function sendOnce(agent: Agent, sent: Sent): Promise<Raw | null> {
  return new Promise((resolve) => {
    const length = sent.body === null ? {} : { 'content-length': String(Buffer.byteLength(sent.body)) };
    const call = request(sent.url, { agent, method: sent.method, headers: { ...sent.headers, ...length } });
    let leaving: NodeJS.Timeout | undefined;
    const end = (raw: Raw | null) => {
      clearTimeout(leaving);
      resolve(raw);
    };
    call.setTimeout(ANSWER_WITHIN_MS, () => call.destroy());
    call.on('error', () => end(null)); // Broken connections are what the run is about.
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => end(null));
      response.on('close', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        end(response.complete ? { status: response.statusCode ?? 0, text } : null);
      });
    });
    call.end(sent.body ?? undefined, () => {
      if (sent.leavesAfterMs !== null) leaving = setTimeout(() => call.destroy(), sent.leavesAfterMs);
    });
  });
}

function watchForLeaks(history: History, sent: Sent, { status, text }: Raw): void {
  const what = `${sent.method} ${new URL(sent.url).pathname} ${status}`;
  const shown = text.slice(0, 500);
  if (status === 500) history.leaks.push({ what, text: shown });
  else if (LEAKS.some((leak) => leak.test(text)) || LEAK_SQL.test(text)) history.leaks.push({ what, text: shown });
}

interface Data {
  readonly replayed?: boolean;
  readonly kind?: string;
  readonly withdrawal?: { readonly withdrawalId: string; readonly status: string } | null;
  readonly withdrawalId?: string;
  readonly status?: string;
}

function toAnswer(deed: Answer['deed'], raw: Raw | null): Answer {
  const data = raw === null ? undefined : (readData(raw.text) as Data | undefined);
  const refusal = raw === null ? undefined : readRefusal(raw.text);
  const shown = data?.withdrawal ?? (data?.withdrawalId === undefined ? null : data);
  return {
    deed,
    status: raw?.status ?? null,
    code: refusal?.code ?? null,
    withdrawalId: shown?.withdrawalId ?? refusal?.withdrawalId ?? null,
    withdrawalStatus: shown?.status ?? null,
    replayed: data?.replayed ?? null,
    kind: data?.kind ?? null,
  };
}

function readData(text: string): unknown {
  return (parse(text) as { result?: { data?: unknown } } | null)?.result?.data;
}

function readRefusal(text: string): { code: string; withdrawalId?: string } | undefined {
  type Body = { error?: { data?: { refusal?: { code: string; withdrawalId?: string } } } };
  return (parse(text) as Body | null)?.error?.data?.refusal;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // A page of a proxy's; it has a status and no content for us.
  }
}
