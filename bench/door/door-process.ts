import { createCustomerGate } from '#server/api/customer-gate.ts';
import { createRelay } from '#server/api/relay-after-commit.ts';
import { createWebServer } from '#server/api/web-server.ts';
import { gatherStatements } from '#server/db/gather-statements.ts';
import { dependencies } from '#server/dependencies.ts';
import { readEnv } from '#server/env.ts';
import { createInboxNudge } from '#server/inbox/apply-beside-answer.ts';
import { GATHERED_RECEIPTS } from '#server/inbox/gather-events.ts';
import { receiveWebhook } from '#server/inbox/receive-webhook.ts';
import { readWebhookSecrets } from '#server/inbox/webhook-signature.ts';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { createAcceptanceBatch } from '#server/withdrawals/acceptance-batch.ts';

// The product's web process without what takes no part in a withdrawal: pages and accounts.
const env = readEnv();
const deps = dependencies();
const relay = createRelay((outboxIds) => relayOutbox(deps, { outboxIds, limit: outboxIds.length }));
const inbox = createInboxNudge(deps);
const webhookTools = {
  db: gatherStatements(deps.db, GATHERED_RECEIPTS),
  times: deps.times,
  provider: deps.custody.site.provider,
  secrets: readWebhookSecrets(env.custodyWebhookSecrets),
};
const { authSecret, publicUrl } = env;
if (authSecret === null) throw new Error('AUTH_SECRET is missing');
const server = createWebServer({
  tools: {
    db: deps.db,
    catalogue: deps.catalogue,
    custody: null,
    gate: createCustomerGate({ runningMax: 4, waitingMax: 200 }),
    requestGate: createCustomerGate({ runningMax: 32, waitingMax: 200 }),
    accept: createAcceptanceBatch(deps),
    relay: process.env.BENCH_RELAYS === '0' ? () => undefined : relay.send,
  },
  publicUrl,
  authSecret,
  dev: false,
  auth: async (_request, response) => void response.writeHead(404).end(),
  demoSignIn: null,
  receiveWebhook: async (delivery) => {
    const receipt = await receiveWebhook(webhookTools, delivery);
    if (receipt.kind === 'stored') inbox.send(receipt.eventId);
    return receipt.kind === 'stored' || receipt.kind === 'duplicate' ? 'stored' : 'refused';
  },
  statics: null,
  pages: async (_request, response) => void response.writeHead(200).end('ready'),
  isStopping: () => false,
});
server.listen(env.port, '127.0.0.1');
