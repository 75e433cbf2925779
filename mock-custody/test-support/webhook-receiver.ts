import { once } from 'node:events';
import { createServer } from 'node:http';
import { findFreePort } from './free-port.ts';

export type ReceivedEvent = {
  id: string;
  headers: Record<string, string>;
  raw: string;
  type: string;
  externalId: string;
  status: string;
};

export type WebhookReceiver = {
  url: string;
  events: ReceivedEvent[];
  /** How many of the next deliveries are answered 500. */
  refuseNext: (count: number) => void;
  close: () => Promise<void>;
};

/** A receiver that keeps what it was sent, in the order of arrival. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const events: ReceivedEvent[] = [];
  let refusals = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const raw = Buffer.concat(parts).toString('utf8');
      const body = JSON.parse(raw);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      events.push({
        id: headers['webhook-id'] ?? '',
        headers,
        raw,
        type: body.type,
        externalId: body.data.externalId,
        status: body.data.status,
      });
      refusals -= 1;
      response.writeHead(refusals >= 0 ? 500 : 204).end();
    });
  });
  const port = await findFreePort();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    events,
    refuseNext: (count) => {
      refusals = count;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close').catch(() => undefined);
    },
  };
}
