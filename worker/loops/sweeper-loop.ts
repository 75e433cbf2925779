import { forgetRelayedWakeUps } from '#server/outbox/forget-relayed-wake-ups.ts';
import { sweepDueWithdrawals } from '#server/outbox/sweep-due-withdrawals.ts';
import { resumeSendingWhenWell } from '#server/withdrawals/resume-sending-when-well.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// Once in so many turns is soon enough for what only saves room.
const TURNS_BETWEEN_FORGETTING = 300;

/** Wakes every row whose time has come; whatever it woke is relayed at once. */
export function startSweeperLoop(tools: WorkerTools, nudgeRelay: () => void): Loop {
  let turns = 0;
  return startLoop({
    name: 'sweeper',
    idleMs: tools.times.sweepIntervalMs,
    runOnce: async () => {
      const { woken } = await sweepDueWithdrawals(tools);
      if (woken > 0) nudgeRelay();
      await resumeSendingWhenWell(tools);
      turns += 1;
      if (turns % TURNS_BETWEEN_FORGETTING === 0) await forgetRelayedWakeUps(tools);
      return { again: false };
    },
  });
}
