import pg from 'pg';

/** Deeds in one transaction. Each is a text of one or more statements; constraints that wait for the commit are asked after each. */
export interface Trial {
  /** What must be possible, or the trial says nothing. */
  readonly given?: string;
  readonly deed: string;
}

/**
 * Does what plain SQL could do, and takes it back.
 *
 * @returns the name of the guard that refused the deed, or `allowed`
 * @throws when what was given is itself refused, or the deed fails for a reason that is no guard
 */
export async function tryPlainSql(pool: pg.Pool, trial: Trial): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    if (trial.given !== undefined) await client.query(untilCommit(trial.given));
    return await client.query(untilCommit(trial.deed)).then(() => 'allowed', guardOf);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function untilCommit(sql: string): string {
  return `${sql}; set constraints all immediate; set constraints all deferred`;
}

function guardOf(error: unknown): string {
  if (error instanceof pg.DatabaseError && error.constraint !== undefined) return error.constraint;
  throw error;
}
