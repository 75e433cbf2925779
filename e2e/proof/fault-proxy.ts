import { connect, createServer, type Socket } from 'node:net';
import { createRequestCapture } from './request-capture.ts';

export interface RepeatRule {
  /** How many requests are repeated; the rule ends with the last. */
  readonly requests: number;
  readonly copies: number;
  readonly delayMs: number;
}

/** A TCP proxy that breaks what passes through it, on order. Everything else it hands on unchanged. */
export interface FaultProxy {
  readonly port: number;
  /** Where connections go from now on. */
  aim(target: { host: string; port: number }): void;
  /** Breaks every connection now and refuses new ones for a while. */
  cut(forMs: number): void;
  /** Every byte, both ways, arrives later for a while. */
  delay(byMs: number, forMs: number): void;
  /** Hands on what is asked and swallows what is answered, for a while; then the connection breaks. */
  swallowAnswers(forMs: number): void;
  /** The same bytes of a request that makes a transfer reach the target again, later, from nobody. */
  repeatRequests(rule: RepeatRule): void;
  /** How often something was really broken, by deed. */
  counts(): Readonly<Record<'cut' | 'delayed' | 'swallowed' | 'repeated', number>>;
  /** How often each idempotency key was repeated. */
  repeatedKeys(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const REPEATED_ANSWER_WITHIN_MS = 10_000;
// Until the last of the broken connections is really gone and the port can be listened on again.
const CLOSING_MS = 50;

export async function startFaultProxy(input: { port: number }): Promise<FaultProxy> {
  let target: { host: string; port: number } | null = null;
  let delayUntil = 0;
  let delayMs = 0;
  let swallowUntil = 0;
  let repeat: RepeatRule | null = null;
  const counts = { cut: 0, delayed: 0, swallowed: 0, repeated: 0 };
  const repeatedKeys = new Map<string, number>();
  const open = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const now = () => performance.now();

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function keep(socket: Socket): void {
    open.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => open.delete(socket));
  }

  function onRequest(bytes: Buffer, key: string | null): void {
    if (repeat === null) return;
    const { copies, delayMs: waitMs, requests } = repeat;
    repeat = requests > 1 ? { ...repeat, requests: requests - 1 } : null;
    for (let copy = 1; copy <= copies; copy += 1) later(waitMs * copy, () => sendAgain(bytes, key));
  }

  function sendAgain(bytes: Buffer, key: string | null): void {
    if (target === null) return;
    const socket = connect(target);
    keep(socket);
    socket.on('error', () => undefined); // Nobody waits for it.
    socket.setTimeout(REPEATED_ANSWER_WITHIN_MS, () => socket.destroy());
    socket.on('connect', () => {
      counts.repeated += 1;
      if (key !== null) repeatedKeys.set(key, (repeatedKeys.get(key) ?? 0) + 1);
      socket.write(bytes);
    });
    socket.on('data', () => socket.end());
  }

  /** Hands bytes on in order, late while a delay is on. */
  function forward(from: Socket, to: Socket, note: (chunk: Buffer) => boolean): void {
    let freeAt = 0;
    let waiting = 0;
    const write = (chunk: Buffer) => {
      if (to.destroyed || to.write(chunk)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    from.on('data', (chunk: Buffer) => {
      if (!note(chunk)) return;
      const isLate = now() < delayUntil;
      if (isLate) counts.delayed += 1;
      freeAt = Math.max(freeAt, now() + (isLate ? delayMs : 0));
      if (!isLate && waiting === 0) return write(chunk);
      waiting += 1;
      later(freeAt - now(), () => {
        waiting -= 1;
        write(chunk);
      });
    });
    from.on('end', () => later(Math.max(0, freeAt - now()), () => to.end()));
    from.on('close', () => to.destroy());
    from.on('error', () => to.destroy());
  }

  const server = createServer((client) => {
    keep(client);
    if (target === null) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target);
    keep(upstream);
    const capture = createRequestCapture(onRequest);
    forward(client, upstream, (chunk) => {
      capture.sent(chunk);
      return true;
    });
    forward(upstream, client, () => {
      capture.answered();
      if (now() >= swallowUntil) return true;
      counts.swallowed += 1;
      later(swallowUntil - now(), () => client.resetAndDestroy());
      return false;
    });
  });
  const listen = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(input.port, '127.0.0.1', () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
  await listen();

  return {
    port: input.port,
    aim: (next) => {
      target = next;
    },
    cut: (forMs) => {
      if (!server.listening) return;
      counts.cut += open.size;
      // Nobody listens meanwhile: a connection that is refused is the only proof that nothing was sent.
      server.close();
      for (const socket of open) socket.resetAndDestroy();
      later(Math.max(forMs, CLOSING_MS), () => void listen());
    },
    delay: (byMs, forMs) => {
      delayMs = byMs;
      delayUntil = now() + forMs;
    },
    swallowAnswers: (forMs) => {
      swallowUntil = now() + forMs;
    },
    repeatRequests: (rule) => {
      repeat = rule;
    },
    counts: () => ({ ...counts }),
    repeatedKeys: () => repeatedKeys,
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      const closed = new Promise<void>((resolve) => (server.listening ? server.close(() => resolve()) : resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
