import type { Database } from '#server/db/database.ts';
import type { Mailer } from '#server/notifications/mailer.ts';
import { sendNotifications } from '#server/notifications/send-notifications.ts';
import { type Loop, startLoop } from '../run-loop.ts';

// One after the other; so few that even a silent mail server does not make this loop look stuck.
const BATCH = 4;
// Longer than one send at the mailer's own limits; a lease that ends early costs a repeat, never a third.
const LEASE_MS = 120_000;
const IDLE_MS = 2_000;

/** Sends notices. Two of them never take the same one. */
export function startNotificationLoop(tools: { db: Database; mailer: Mailer }): Loop {
  return startLoop({
    name: 'notifications',
    idleMs: IDLE_MS,
    runOnce: async () => {
      const { taken } = await sendNotifications(tools, { limit: BATCH, leaseMs: LEASE_MS });
      return { again: taken === BATCH };
    },
  });
}
