import type { GatheredStatement } from '#server/db/gather-statements.ts';
import { findDispatchRowSql, findDispatchRowsSql } from '#server/sql/find-dispatch-row.sql.ts';
import { GATHERED_TRANSITIONS } from '#server/withdrawals/record-transition.ts';

/** What jobs ask of the database on their way to custody, each with its statement for many. */
export const GATHERED_DISPATCH: readonly GatheredStatement[] = [
  { alone: findDispatchRowSql.name, together: findDispatchRowsSql },
  ...GATHERED_TRANSITIONS,
];
