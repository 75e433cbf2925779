import type { Db, Statement } from '#server/db/database.ts';
import { giveBackReplays, takeReplays } from '#server/metrics.ts';

/** How often a process writes down what it counted: what a crash may forget, and a write that no replay waits for. */
export const KEEP_REPLAYS_MS = 5_000;

/** Adds the replays that this process answered since the last time to the hour's count. What cannot be written is counted again later. */
export async function keepReplays(deps: { db: Db }): Promise<void> {
  const replays = takeReplays();
  if (replays === 0) return;
  try {
    await deps.db.query(keepReplaysSql, [replays]);
  } catch (error) {
    giveBackReplays(replays);
    throw error;
  }
}

const keepReplaysSql: Statement = {
  name: 'keep_replays',
  text: `
    insert into replay_counts as r (hour, replays) values (date_trunc('hour', protocol_now()), $1::bigint)
    on conflict (hour) do update set replays = r.replays + excluded.replays`,
};
