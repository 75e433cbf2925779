import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { toNodeHandler } from 'better-auth/node';
import next from 'next';
import { createCustomerGate } from '#server/api/customer-gate.ts';
import { createRelay } from '#server/api/relay-after-commit.ts';
import { createRequestLimit } from '#server/api/request-limit.ts';
import { createStaticDoor } from '#server/api/static-door.ts';
import { stopOnSignal } from '#server/api/stop-on-signal.ts';
import { createWebServer } from '#server/api/web-server.ts';
import { type AuthMail, createAuth } from '#server/auth/create-auth.ts';
import { createPasswordGuesses } from '#server/auth/password-guesses.ts';
import { secondFactorPlugin } from '#server/auth/second-factor-plugin.ts';
import { readChains } from '#server/chain/read-chains.ts';
import { readStatementKeys } from '#server/custody/read-custody-statement.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import { checkDatabase } from '#server/db/check-database.ts';
import { gatherStatements } from '#server/db/gather-statements.ts';
import { dependencies } from '#server/dependencies.ts';
import { readEnv } from '#server/env.ts';
import { armFaultPoints } from '#server/fault-points.ts';
import { createInboxNudge } from '#server/inbox/apply-beside-answer.ts';
import { GATHERED_RECEIPTS } from '#server/inbox/gather-events.ts';
import { receiveWebhook } from '#server/inbox/receive-webhook.ts';
import { readWebhookSecrets } from '#server/inbox/webhook-signature.ts';
import { logger } from '#server/logger.ts';
import { metrics } from '#server/metrics.ts';
import { queueNotice } from '#server/notifications/queue-notice.ts';
import { createFaultLab } from '#server/operator/fault-lab.ts';
import { KEEP_REPLAYS_MS, keepReplays } from '#server/operator/keep-replays.ts';
import type { RoomTools } from '#server/operator/room-tools.ts';
import { relayOutbox } from '#server/outbox/relay-outbox.ts';
import { withDeadline } from '#server/queue/with-deadline.ts';
import { startTracingTo } from '#server/tracing.ts';
import { createAcceptanceBatch } from '#server/withdrawals/acceptance-batch.ts';

// True for this file and for its bundle in a build folder: both stand one step below the root.
const ROOT = join(import.meta.dirname, '..');
const dev = process.argv.includes('--dev');
const env = readEnv();
const { authSecret, publicUrl } = env;
if (authSecret === null) throw new Error('AUTH_SECRET is missing');
armFaultPoints({ text: env.faultPoints, file: env.faultPointsFile, allowed: env.demoMode });
const stopTracing =
  env.otlpEndpoint === null ? null : await startTracingTo({ service: 'cryptoex-web', endpoint: env.otlpEndpoint });
const deps = dependencies();
// Reading them checks their order.
logger().info('web.starting', { times: env.protocolTimes, custodyTimeoutMs: deps.times.custodyTimeoutMs, dev });
const problems = await checkDatabase(deps, { migrationsFolder: join(ROOT, 'prisma', 'migrations') });
if (problems.length > 0) throw new Error(problems.join('; '));

const accounts = {
  publicUrl,
  secret: authSecret,
  onUserCreated: (userId: string) => openCustomer(deps, { userId }),
  mail: ({ kind, userId, url }: AuthMail) =>
    queueNotice(deps, { kind, userId, subjectId: randomUUID(), data: { url } }),
  guesses: createPasswordGuesses(deps.queue.redis),
};
const secondFactor = secondFactorPlugin({ db: deps.db, site: { publicUrl, authSecret }, tell: queueNotice });
const auth = createAuth(deps, { ...accounts, secondFactor });
// The demo's one press asks for no password, so it asks for no second factor either.
const demoAuth = env.demoMode ? createAuth(deps, { ...accounts, secondFactor: null }) : null;
const pages = next({ dev, dir: ROOT, hostname: 'localhost', port: env.port });
await pages.prepare();
const webhookTools = {
  db: gatherStatements(deps.db, GATHERED_RECEIPTS),
  times: deps.times,
  provider: deps.custody.site.provider,
  secrets: readWebhookSecrets(env.custodyWebhookSecrets),
};
const renderPage = pages.getRequestHandler();
const relay = createRelay((outboxIds) => relayOutbox(deps, { outboxIds, limit: outboxIds.length }));
const inbox = createInboxNudge(deps);
const isGiven = (value: unknown) => value !== null;
const room: RoomTools = {
  queue: deps.queue,
  // Asked by every open overview and every scrape; the client itself remembers for five seconds.
  custodyAnswers: () => withDeadline(deps.custody.capabilities(), 1_500, 'custody').then(isGiven, () => false),
  statementKeys: readStatementKeys(env.custodyStatementKeys),
  chains: await readChains(deps, env),
  lab: env.demoMode
    ? createFaultLab({
        db: deps.db,
        queue: deps.queue,
        databaseUrl: env.databaseUrl,
        redisUrl: env.redisUrl,
        custodyUrl: env.custodyUrl,
        custodyApiKey: env.custodyApiKey,
        chainRpcUrl: env.chainRpcUrl,
        webUrl: publicUrl,
        control: env.labControl,
      })
    : null,
};
let isStopping = false;

const server = createWebServer({
  tools: {
    db: deps.db,
    catalogue: deps.catalogue,
    custody: deps.custody,
    // Four of sixteen connections for the busiest customer; behind them as many as a page could ever mean.
    gate: createCustomerGate({ runningMax: 4, waitingMax: 200 }),
    // Half a batch: requests that are accepted together share one connection, and leave room for everybody else's.
    requestGate: createCustomerGate({ runningMax: 32, waitingMax: 200 }),
    accept: createAcceptanceBatch(deps),
    relay: relay.send,
    requestLimit: createRequestLimit({ nowMs: () => performance.now() }),
    demoMode: env.demoMode,
    room,
  },
  publicUrl,
  authSecret,
  metricsToken: env.metricsToken,
  trustedProxyHops: env.trustedProxyHops,
  dev,
  auth: toNodeHandler(auth),
  demoSignIn: demoAuth === null ? null : (body) => demoAuth.api.signInEmail({ body, asResponse: true }),
  receiveWebhook: async (delivery) => {
    const receipt = await receiveWebhook(webhookTools, delivery);
    metrics().webhooks.inc({ outcome: receipt.kind });
    if (receipt.kind === 'stored') inbox.send(receipt.eventId);
    return receipt.kind === 'stored' || receipt.kind === 'duplicate' ? 'stored' : 'refused';
  },
  // The development server builds as it goes: there is nothing to be found at its start.
  statics: dev ? null : await createStaticDoor(join(ROOT, env.nextDistDir)),
  pages: (request: IncomingMessage, response: ServerResponse) => renderPage(request, response),
  isStopping: () => isStopping,
});
if (dev) server.on('upgrade', pages.getUpgradeHandler());
await new Promise<void>((resolve, reject) => {
  server.once('error', reject);
  // The demo's passwords are published: a neighbour on the network finds nobody listening.
  server.listen({ port: env.port, host: env.demoMode ? '127.0.0.1' : undefined }, resolve);
});
logger().info('web.ready', { port: env.port, publicUrl, demoMode: env.demoMode });

const keep = () =>
  keepReplays(deps).catch((error: unknown) => logger().warn('replays.not_kept', { reason: String(error) }));
const keeping = setInterval(keep, KEEP_REPLAYS_MS);
keeping.unref();

stopOnSignal({
  begin: () => {
    isStopping = true;
  },
  server,
  finish: async () => {
    clearInterval(keeping);
    await keep();
    await Promise.all([relay.settled(), inbox.settled()]);
    await pages.close();
    await deps.close();
    await stopTracing?.();
  },
});
