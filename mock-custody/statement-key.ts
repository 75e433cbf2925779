import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Database } from './store/custody-database.ts';

/** With what statements are signed, and by what they are verified: SPKI in base64. */
export type StatementKey = { privateKey: KeyObject; publicText: string };

/**
 * The key that was given, or one of our own: made at the first start and kept in the database, so that what was signed yesterday is
 * verified tomorrow.
 *
 * @param input.given Ed25519, PKCS8 in base64
 */
export async function loadStatementKey(
  deps: { database: Database },
  input: { given: string | undefined },
): Promise<StatementKey> {
  const text = input.given ?? (await keepOwn(deps.database));
  const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('CUSTODY_STATEMENT_KEY is no Ed25519 key');
  return {
    privateKey,
    publicText: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
  };
}

async function keepOwn(database: Database): Promise<string> {
  const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  // Of two that start together the first one's is kept, by both.
  const kept = await database.query<{ value: unknown }>(
    `insert into setting (name, value) values ('statement_key', $1)
     on conflict (name) do update set value = setting.value returning value`,
    [JSON.stringify(made)],
  );
  return z.string().parse(kept.rows[0]?.value);
}
