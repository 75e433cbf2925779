import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardDatabase, type GuardDatabase } from './guard-database.ts';
import { tryPlainSql } from './try-plain-sql.ts';

/** A guard, one deed that it refuses, and the nearest one that it lets pass. */
export interface GuardCase {
  readonly guard: string;
  /** What the guard keeps, as the title of its test. */
  readonly keeps: string;
  readonly given?: string;
  readonly refuses: string;
  readonly allows: string;
}

/** One test for each guard, all on one database; every deed is taken back. */
export function describeGuards(subjects: Readonly<Record<string, readonly GuardCase[]>>): void {
  let database: GuardDatabase;
  beforeAll(async () => {
    database = await createGuardDatabase();
  });
  afterAll(() => database.drop());

  for (const [subject, cases] of Object.entries(subjects)) {
    describe(subject, () => {
      for (const { guard, keeps, given, refuses, allows } of cases) {
        it(`${guard}: ${keeps}`, async () => {
          const world = given === undefined ? {} : { given };
          expect(await tryPlainSql(database.pool, { ...world, deed: refuses })).toBe(guard);
          expect(await tryPlainSql(database.pool, { ...world, deed: allows })).toBe('allowed');
        });
      }
    });
  }
}
