import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { readWebhookSecrets, verifyWebhookSignature } from '#server/inbox/webhook-signature.ts';

const OLD = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEW = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const AT = new Date(1_800_000_000_000);

function deliver(body: string, secrets: readonly string[]) {
  const signature = secrets.map((secret) => new Webhook(secret).sign('evt_1', AT, body)).join(' ');
  return {
    headers: {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(AT.getTime() / 1_000),
      'webhook-signature': signature,
    },
    body: Buffer.from(body),
  };
}

const verify = (delivery: ReturnType<typeof deliver>, secrets: readonly string[]) =>
  verifyWebhookSignature({ ...delivery, secrets: readWebhookSecrets(secrets) });

describe('a signature', () => {
  const bodies = ['{"a":1}', ' { "a" : 1 }\n', '{"b":2,"a":1.0}', '{"a":"\\u00e9 😀"}', 'x\r\ny', ''];
  it.each(bodies)('made by the reference library over %j is good, and names its event and time (WH01)', (body) => {
    expect(verify(deliver(body, [NEW]), [NEW])).toEqual({ kind: 'good', delivery: { eventId: 'evt_1', signedAt: AT } });
  });

  it('over a body with one flipped byte is bad', () => {
    const delivery = deliver('{"a":1}', [NEW]);
    delivery.body[3] = (delivery.body[3] ?? 0) ^ 1;
    expect(verify(delivery, [NEW])).toEqual({ kind: 'bad', reason: 'no_match' });
  });

  it('by either secret is good during a rotation, in any order (EC79, WH04)', () => {
    for (const signed of [[OLD], [NEW], [OLD, NEW], [NEW, OLD]]) {
      for (const known of [
        [OLD, NEW],
        [NEW, OLD],
      ])
        expect(verify(deliver('{}', signed), known).kind).toBe('good');
    }
    expect(verify(deliver('{}', [OLD, NEW]), [OLD]).kind).toBe('good');
    expect(verify(deliver('{}', [OLD]), [NEW]).kind).toBe('bad');
  });

  const hostile: readonly (string | string[] | undefined)[] = [
    undefined,
    '',
    'v1',
    'v1,',
    'v1,a',
    `v1,${'A'.repeat(42)}`,
    `v1,${'A'.repeat(44)}`,
    'v1,ééééééééééééééééééééééééééééééééééééééééééé=',
    'v2,AAAA',
    'x'.repeat(1_000_000),
    ['v1,a', 'v1,b'],
  ];
  it.each(hostile)('that is hostile is bad and throws nothing (WH02): %#', (signature) => {
    const { headers, body } = deliver('{}', [NEW]);
    const verdict = verifyWebhookSignature({
      headers: { ...headers, 'webhook-signature': signature },
      body,
      secrets: readWebhookSecrets([NEW]),
    });
    expect(verdict.kind).toBe('bad');
  });

  it('cannot be moved to another id by a dot', () => {
    const { headers, body } = deliver('{}', [NEW]);
    const verdict = verifyWebhookSignature({
      headers: { ...headers, 'webhook-id': 'evt.1' },
      body,
      secrets: readWebhookSecrets([NEW]),
    });
    expect(verdict).toEqual({ kind: 'bad', reason: 'header_malformed' });
  });
});

describe('the secrets', () => {
  it('may have white space around them', () => {
    expect(readWebhookSecrets([` ${NEW}\n`, ''])).toHaveLength(1);
  });
  it.each(['whsec_', 'whsec_!!', 'abc', `whsec_${Buffer.alloc(8).toString('base64')}`])(
    'refuse %s at start',
    (text) => {
      expect(() => readWebhookSecrets([text])).toThrow('whsec_');
    },
  );
});
