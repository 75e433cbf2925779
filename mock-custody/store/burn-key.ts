import type { Database } from './custody-database.ts';

/** From now on the key answers this internal error, whatever happened under it before. */
export async function burnKey(
  deps: { database: Database },
  input: { key: string; bodyHash: string; answer: string },
): Promise<void> {
  await deps.database.query(
    `insert into idempotency_key (key, body_hash, answer_status, answer, created_at, used_at)
     values ($1, $2, 500, $3, custody_now(), custody_now())
     on conflict (key) do update set answer_status = 500, answer = excluded.answer`,
    [input.key, input.bodyHash, input.answer],
  );
}
