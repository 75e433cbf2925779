import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { deadlines, type Opened, send } from '#server/custody/test-support/answer-contract.ts';
import type { Payment } from '#server/custody/test-support/provider-under-contract.ts';

interface Script {
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
}

/** Somebody who is not the provider and answers whatever a test says. */
async function openStranger() {
  let next: (path: string) => Script = () => ({ status: 500, body: '' });
  let requests = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      requests += 1;
      const { status, body, headers } = next(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (script: (path: string) => Script) => {
      next = script;
    },
    requests: () => requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const FIVE = ['not_sent', 'accepted', 'refused', 'later', 'in_doubt'];
const STATUSES = [
  ...[200, 201, 202, 203, 206, 226, 300, 301, 302, 303, 305, 307, 308],
  ...[
    400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 415, 418, 421, 422, 423, 425, 426, 428, 429, 431, 451,
  ],
  ...[499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 522, 524, 529, 599],
];
// Those that a provider really uses meet every body, the others one each: the sorter knows kinds of statuses and no more.
const USED = new Set([200, 201, 302, 400, 401, 409, 410, 422, 429, 500, 502, 503]);
const CODES = ['duplicate_reference', 'expired', 'rate_limited', 'address_rejected', 'unheard_of', 7];

function shown({ meaning }: Payment, changes: object = {}): string {
  const { reference: externalId, asset, network, address, memo, amount } = meaning;
  const transfer = { id: 'tr_1', externalId, asset, network, address, memo, amount, status: 'accepted' };
  return JSON.stringify({ ...transfer, failureCode: null, final: false, transactions: [], ...changes });
}

/** Whatever stands between us and the provider may answer in its place. */
export function promiseStrangers(open: () => Opened): void {
  it('every status with every body is one of the five, and only our own transfer in a 2xx is accepted', async () => {
    const { provider } = open();
    const stranger = await openStranger();
    const port = provider.connect({ url: stranger.url, timeoutMs: deadlines.patientMs });
    try {
      const payment = provider.payment();
      const bodies = [
        ...['', 'null', '[]', '{}', '{"code"', '<html></html>'],
        ...CODES.map((code) => JSON.stringify({ code, externalId: payment.meaning.reference })),
      ];
      let sent = 0;
      for (const [place, status] of STATUSES.entries()) {
        for (const [which, body] of bodies.entries()) {
          if (!USED.has(status) && which !== place % bodies.length) continue;
          sent += 1;
          stranger.answer(() => ({ status, body, headers: { location: '/elsewhere' } }));
          const { kind } = await send(port, payment);
          expect(FIVE).toContain(kind);
          expect(['accepted', 'not_sent'], `${status} ${body}`).not.toContain(kind);
        }
        stranger.answer(() => ({ status, body: shown(payment), headers: { location: '/elsewhere' } }));
        sent += 1;
        expect((await send(port, payment)).kind, String(status)).toBe(status < 300 ? 'accepted' : 'in_doubt');
      }
      // One request a send: nothing was repeated and no redirect was followed.
      expect(stranger.requests()).toBe(sent);
    } finally {
      port.close();
      stranger.close();
    }
  });

  it('an accepted answer that differs from what we asked for in anything is doubt', async () => {
    const { provider } = open();
    const stranger = await openStranger();
    const port = provider.connect({ url: stranger.url, timeoutMs: deadlines.patientMs });
    const payment = provider.payment();
    const { meaning } = payment;
    const lies: readonly object[] = [
      { externalId: crypto.randomUUID() },
      { asset: 'DOGE' },
      { network: 'nowhere' },
      { address: `${meaning.address}x` },
      { memo: `${meaning.memo ?? ''}1` },
      { amount: `${meaning.amount}1` },
      { amount: Number(meaning.amount) },
      { status: 'failed' },
      { status: 'lost' },
      { id: '' },
      { id: 7 },
    ];
    try {
      for (const lie of lies) {
        stranger.answer(() => ({ status: 201, body: shown(payment, lie) }));
        expect((await send(port, payment)).kind, JSON.stringify(lie)).toBe('in_doubt');
      }
      stranger.answer(() => ({ status: 201, body: shown(payment, { memo: meaning.memo, newField: { a: 1 } }) }));
      expect((await send(port, payment)).kind).toBe('accepted');
    } finally {
      port.close();
      stranger.close();
    }
  });

  it('half a list proves nothing: a walk whose second page fails has failed', async () => {
    const { provider } = open();
    const stranger = await openStranger();
    const port = provider.connect({ url: stranger.url, timeoutMs: deadlines.patientMs });
    const page = (nextCursor: string | null) =>
      JSON.stringify({ data: [JSON.parse(shown(provider.payment()))], nextCursor });
    try {
      stranger.answer((path) =>
        path.includes('cursor=') ? { status: 502, body: '' } : { status: 200, body: page('more') },
      );
      expect((await port.walkTransfers({ fromMs: 0, toMs: Date.now() })).kind).toBe('failed');
      stranger.answer((path) => ({ status: 200, body: page(path.includes('cursor=') ? null : 'more') }));
      const walk = await port.walkTransfers({ fromMs: 0, toMs: Date.now() });
      expect(walk.kind === 'found' && walk.transfers.length).toBe(2);
    } finally {
      port.close();
      stranger.close();
    }
  });

  it('a transfer in an event is read whole or not at all', () => {
    const { provider, port } = open();
    const payment = provider.payment();
    expect(port.readTransfer(JSON.parse(shown(payment)))).toMatchObject({ externalId: payment.meaning.reference });
    const nonsense = [null, 7, 'x', [], {}, { ...JSON.parse(shown(payment)), amount: 1 }];
    for (const value of nonsense) expect(port.readTransfer(value)).toBeNull();
  });
}
