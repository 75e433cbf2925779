import { sign } from 'node:crypto';
import type { StatementKey } from './statement-key.ts';
import type { Database } from './store/custody-database.ts';

/**
 * Signs that nothing was made under an external id and that nothing will be, and keeps it: from now on every request for it is refused.
 * Asked again, we sign again with the time of now. Nothing is signed where there is a transfer, whatever became of it.
 */
export async function signStatement(
  deps: { database: Database; key: StatementKey },
  input: { externalId: string },
): Promise<
  { kind: 'signed'; body: string; signature: string; publicKey: string } | { kind: 'exists'; transferId: string }
> {
  const { externalId } = input;
  // Committed before a word is signed: a kill in between leaves a reference closed, never a promise that nobody keeps.
  const closed = await deps.database.query<{ holder: string | null; said_at: Date }>(
    'select holder, said_at from close_reference($1)',
    [externalId],
  );
  const [row] = closed.rows;
  if (row === undefined) throw new Error('close_reference answers one row');
  if (row.holder !== null) return { kind: 'exists', transferId: row.holder };
  const signedAt = row.said_at.toISOString();
  const body = JSON.stringify({ statement: 'no_transfer', externalId, made: false, willMake: false, signedAt });
  const signature = sign(null, Buffer.from(body, 'utf8'), deps.key.privateKey).toString('base64');
  return { kind: 'signed', body, signature, publicKey: deps.key.publicText };
}
