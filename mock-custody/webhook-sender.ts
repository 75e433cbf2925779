import type { CustodySettings } from './custody-settings.ts';
import type { FaultSwitches } from './fault-switches.ts';
import type { Fault } from './faults/fault-kinds.ts';
import { createGatherer } from './gatherer.ts';
import { type NudgedLoop, startNudgedLoop } from './nudged-loop.ts';
import type { Database } from './store/custody-database.ts';
import { deliverWebhook } from './webhooks/deliver-webhook.ts';

export type WebhookSender = {
  nudge(): void;
  redeliver(id: string): Promise<boolean>;
  /** Whether any event of the transfer was taken by the receiver. */
  wasDelivered(transferId: string): Promise<boolean>;
  stop(): Promise<void>;
};

type Event = { id: string; body: string; attempts: number; external_id: string | null };

const IN_FLIGHT_MAX = 32;
// 1 s, 3 s, 9 s … to an hour, fourteen times: about seven hours with the default first delay.
const GROWTH = 3;
const DELAY_MAX_MS = 3_600_000;
const ATTEMPTS_MAX = 14;

/** Sends stored events until each was answered by a 2xx, each on its own: order is not promised, the id is stable. */
export function startWebhookSender(
  deps: {
    database: Database;
    settings: CustodySettings;
    faults: FaultSwitches;
    log: (event: string, fields: object) => void;
  },
  input: { url: string | undefined; firstRetryMs: number },
): WebhookSender {
  const { database } = deps;
  const inFlight = new Map<string, Promise<void>>();
  const { url } = input;
  if (url === undefined) return silent;

  async function runOnce(): Promise<number | null> {
    const room = IN_FLIGHT_MAX - inFlight.size;
    if (room === 0) return null; // The next one to finish nudges.
    const due = await database.query<Event>({
      name: 'webhooks-due',
      text: `select w.id, w.body, w.attempts, t.external_id from webhook_event w left join transfer t on t.id = w.transfer_id
        where delivered_at is null and given_up_at is null and next_attempt_at <= clock_timestamp() and w.id <> all($2)
        order by next_attempt_at, w.seq limit $1`,
      values: [room, [...inFlight.keys()]],
    });
    for (const event of due.rows) {
      const work = send(event)
        .catch((cause: unknown) => deps.log('webhook.failed', { error: String(cause) }))
        .finally(() => {
          inFlight.delete(event.id);
          loop.nudge();
        });
      inFlight.set(event.id, work);
    }
    if (due.rows.length > 0) return null;
    const next = await database.query<{ wait_ms: number | null }>({
      name: 'webhooks-next',
      text: `select (extract(epoch from min(next_attempt_at) - clock_timestamp()) * 1000)::float8 as wait_ms from webhook_event
        where delivered_at is null and given_up_at is null and id <> all($1)`,
      values: [[...inFlight.keys()]],
    });
    const waitMs = next.rows[0]?.wait_ms ?? null;
    return waitMs === null ? null : Math.max(10, Math.ceil(waitMs));
  }

  async function send(event: Event): Promise<void> {
    const fault = await deps.faults.take('webhook', { externalId: event.external_id ?? undefined });
    if (fault !== undefined && (await strike(event, fault))) return;
    const delivered = await post(event.id, event.body);
    if (delivered) await markDelivered(event.id);
    else await putOff(event.id, retryDelayMs(event.attempts), event.attempts + 1 >= ATTEMPTS_MAX);
    if (delivered && fault?.kind === 'webhook_doubled')
      for (let n = 0; n < fault.times; n += 1) await post(event.id, event.body);
  }

  /** True where the fault takes the place of the delivery. */
  async function strike(event: Event, fault: Fault): Promise<boolean> {
    switch (fault.kind) {
      case 'webhook_lost':
        await markDelivered(event.id);
        return true;
      case 'webhook_late':
      case 'webhook_reordered':
        // Put off, so that the events after it overtake it.
        await putOff(event.id, fault.delayMs, false);
        return true;
      case 'webhook_forged':
        await post(
          event.id.replace(/^msg_/, 'msg_forged'),
          event.body.replace(/"status"\s*:\s*"\w+"/, '"status" : "failed"'),
          true,
        );
        return false;
      case 'webhook_altered':
        if (await post(event.id, event.body))
          await post(event.id, event.body.replace(/"amount"\s*:\s*"/, '"amount" : "9'));
        return false;
      default:
        return false;
    }
  }

  function post(id: string, body: string, forged = false): Promise<boolean> {
    const context = { url: url ?? '', secrets: deps.settings.webhookSecrets(), now: deps.settings.now() };
    return deliverWebhook(context, { id, body, forged });
  }

  function retryDelayMs(attempts: number): number {
    return Math.min(input.firstRetryMs * GROWTH ** attempts, DELAY_MAX_MS);
  }

  /** Gathers what was delivered while the last update was being stored: four events a transfer need not be four commits. */
  const markDelivered = createGatherer<string>(async (ids) => {
    await database.query({
      name: 'webhooks-delivered',
      text: 'update webhook_event set delivered_at = clock_timestamp(), attempts = attempts + 1 where id = any($1)',
      values: [ids],
    });
  });

  async function putOff(id: string, delayMs: number, giveUp: boolean): Promise<void> {
    await database.query(
      `update webhook_event set attempts = attempts + 1, next_attempt_at = clock_timestamp() + $2 * interval '1 millisecond',
        given_up_at = case when $3 then clock_timestamp() end where id = $1`,
      [id, delayMs, giveUp],
    );
  }

  const loop: NudgedLoop = startNudgedLoop(runOnce, (cause) => deps.log('webhooks.failed', { error: String(cause) }));
  loop.nudge();
  return {
    nudge: loop.nudge,
    async redeliver(id) {
      const found = await database.query(
        `update webhook_event set delivered_at = null, given_up_at = null, attempts = 0, next_attempt_at = clock_timestamp() where id = $1`,
        [id],
      );
      loop.nudge();
      return found.rowCount === 1;
    },
    async wasDelivered(transferId) {
      const found = await database.query(
        'select 1 from webhook_event where transfer_id = $1 and delivered_at is not null limit 1',
        [transferId],
      );
      return found.rowCount !== 0;
    },
    async stop() {
      await loop.stop();
      await Promise.all(inFlight.values());
    },
  };
}

// Without a receiver events are kept and nothing is sent.
const silent: WebhookSender = {
  nudge: () => undefined,
  redeliver: () => Promise.resolve(false),
  wasDelivered: () => Promise.resolve(false),
  stop: () => Promise.resolve(),
};
