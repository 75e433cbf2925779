import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#domain/json-text.ts';

/** A public key of custody's for statements, with its name: the hash of its bytes. */
export interface StatementKey {
  readonly key: KeyObject;
  readonly sha256: string;
}

/**
 * What custody says under its own name. `no_transfer`: under this reference it made nothing, and will make nothing. `never_paid`: what it
 * made was not paid, and will not be.
 */
export interface CustodyStatement {
  readonly says: 'no_transfer' | 'never_paid';
  readonly externalId: string;
  readonly signedAt: Date;
  readonly keySha256: string;
}

const about = { externalId: z.uuid(), signedAt: z.iso.datetime({ offset: true }) };
const no = z.literal(false);
const statementSchema = z.discriminatedUnion('statement', [
  z.object({ ...about, statement: z.literal('no_transfer'), made: no, willMake: no }),
  z.object({ ...about, statement: z.literal('never_paid'), paid: no, willPay: no }),
]);

/** Reads public keys as they are configured: Ed25519, SPKI in base64. @throws Error on one that is anything else */
export function readStatementKeys(texts: readonly string[]): readonly StatementKey[] {
  return texts.map((text) => {
    const der = Buffer.from(text, 'base64');
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('a key of custody for statements is an Ed25519 key');
    return { key, sha256: createHash('sha256').update(der).digest('hex') };
  });
}

/**
 * A statement, if one of custody's keys signed exactly these bytes and they say all that a release needs. A shared secret would not
 * do: whoever can verify by it can sign by it.
 *
 * @param input.signature Ed25519, in base64
 */
export function readCustodyStatement(
  keys: readonly StatementKey[],
  input: { body: string; signature: string },
): { kind: 'read'; statement: CustodyStatement } | { kind: 'not_signed' } | { kind: 'says_something_else' } {
  const signature = Buffer.from(input.signature, 'base64');
  const signer = keys.find(({ key }) => verify(null, Buffer.from(input.body, 'utf8'), key, signature));
  if (signer === undefined) return { kind: 'not_signed' };
  const said = statementSchema.safeParse(parseJson(input.body));
  if (!said.success) return { kind: 'says_something_else' };
  const { statement: says, externalId, signedAt } = said.data;
  return { kind: 'read', statement: { says, externalId, signedAt: new Date(signedAt), keySha256: signer.sha256 } };
}
