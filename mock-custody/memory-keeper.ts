import type { CustodySettings } from './custody-settings.ts';
import { type NudgedLoop, startNudgedLoop } from './nudged-loop.ts';
import type { Database } from './store/custody-database.ts';

// Whoever moves the clock past the moment should not wait for a long timer.
const POLL_MS = 200;

/** After a restored copy, when its time has come, lets the signer's journal tell the transfers what became of them. */
export function startMemoryKeeper(
  deps: { database: Database; settings: CustodySettings; log: (event: string, fields: object) => void },
  input: { onRejoined: () => void },
): NudgedLoop {
  const { settings } = deps;
  const loop = startNudgedLoop(
    async () => {
      const { rejoinAtMs, closedUntilMs } = settings.outage();
      if (rejoinAtMs === null) return null;
      if (settings.now().getTime() < rejoinAtMs) return POLL_MS;
      await deps.database.query('select rejoin_journal()');
      await settings.setOutage({ closedUntilMs, rejoinAtMs: null });
      input.onRejoined();
      return null;
    },
    (cause) => deps.log('rejoin.failed', { error: String(cause) }),
  );
  loop.nudge();
  return loop;
}
