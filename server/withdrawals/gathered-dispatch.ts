import type { GatheredStatement } from '#server/db/gather-statements.ts';
import { beginPollSql, gatheredBeginPollSql } from '#server/sql/begin-poll.sql.ts';
import { endPollSql, gatheredEndPollSql } from '#server/sql/end-poll.sql.ts';
import { findDispatchRowSql, findDispatchRowsSql } from '#server/sql/find-dispatch-row.sql.ts';
import { GATHERED_TRANSITIONS } from '#server/withdrawals/record-transition.ts';

/** What jobs ask of the database on their way to custody, and when they look what became of it, each with its statement for many. */
export const GATHERED_DISPATCH: readonly GatheredStatement[] = [
  { alone: findDispatchRowSql.name, together: findDispatchRowsSql },
  { alone: beginPollSql.name, together: gatheredBeginPollSql },
  { alone: endPollSql.name, together: gatheredEndPollSql },
  ...GATHERED_TRANSITIONS,
];
