import pg from 'pg';

/** What an error of the database means for the one who asked. */
export type DatabaseTrouble =
  /** The statement never reached the server: nothing happened. */
  | 'not_reached'
  /** The connection ended after the statement was sent: it may have been committed. */
  | 'outcome_unknown'
  /** Somebody else held the lock for longer than we wait. Rolled back, and whoever held it may be our own twin. */
  | 'lock_timeout'
  /** Deadlock or serialisation failure: rolled back, may be tried again. */
  | 'try_again'
  /** A constraint or a guard said no, or the statement is wrong: a bug, or a race that a constraint decided. */
  | 'refused';

/** An error of the database, sorted by what it means. The driver's own error is its cause. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly trouble: DatabaseTrouble;
  /** The name of the constraint or guard that refused, as the migrations name it. */
  readonly constraint: string | null;
  /** SQLSTATE, or null when no answer came. */
  readonly code: string | null;

  constructor(trouble: DatabaseTrouble, cause: unknown) {
    const answer = cause instanceof pg.DatabaseError ? cause : null;
    super(`database: ${trouble}${answer?.code === undefined ? '' : ` (${answer.code})`}`, { cause });
    this.trouble = trouble;
    this.constraint = answer?.constraint ?? null;
    this.code = answer?.code ?? null;
  }
}

const ROLLED_BACK_BY_CHANCE = new Set(['40001', '40P01']);
/** The server ends the session (shutdown, crash of a neighbour, termination by an operator). */
const SESSION_ENDED = /^(57P0[1-5]|08|F0|58|XX)/;

/** Sorts an error that came after a statement was handed to the connection. */
export function sortStatementError(cause: unknown): DatabaseError {
  if (!(cause instanceof pg.DatabaseError)) return new DatabaseError('outcome_unknown', cause);
  const code = cause.code ?? '';
  if (code === '55P03') return new DatabaseError('lock_timeout', cause);
  if (ROLLED_BACK_BY_CHANCE.has(code)) return new DatabaseError('try_again', cause);
  // Seen: a session terminated just after its commit answers with an error, and the row is there.
  if (SESSION_ENDED.test(code)) return new DatabaseError('outcome_unknown', cause);
  return new DatabaseError('refused', cause);
}

/** Whether the session is still usable after this error. */
export function sessionSurvives(error: DatabaseError): boolean {
  return error.trouble === 'refused' || error.trouble === 'lock_timeout' || error.trouble === 'try_again';
}
