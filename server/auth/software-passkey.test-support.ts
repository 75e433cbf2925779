import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAnswer } from '#server/auth/step-up-schema.ts';

/** A passkey without a device: it signs whatever it is asked, for tests that confirm more deeds than there are codes. */
export interface SoftwarePasskey {
  readonly credentialId: string;
  /** As an authenticator writes it (COSE, ES256). */
  readonly publicKey: Buffer;
  /** What a browser sends when the person confirms. */
  answer(input: { challenge: string; origin: string }): PasskeyAnswer;
}

const PRESENT_AND_VERIFIED = 0x05;
// COSE: { kty: EC2, alg: ES256, crv: P-256, x, y }
const COSE_BEFORE_X = Buffer.from('a5010203262001215820', 'hex');
const COSE_BEFORE_Y = Buffer.from('225820', 'hex');

export function createSoftwarePasskey(): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const coordinate = (text = '') => Buffer.from(text, 'base64url');
  const cose = Buffer.concat([COSE_BEFORE_X, coordinate(x), COSE_BEFORE_Y, coordinate(y)]);
  const id = randomBytes(16);
  const credentialId = id.toString('base64url');
  return {
    credentialId,
    publicKey: cose,
    answer({ challenge, origin }) {
      const data = authenticatorData(origin);
      const client = clientData(challenge, origin);
      const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), privateKey);
      return {
        id: credentialId,
        rawId: credentialId,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

function authenticatorData(origin: string): Buffer {
  const site = createHash('sha256').update(new URL(origin).hostname).digest();
  return Buffer.concat([site, Buffer.from([PRESENT_AND_VERIFIED, 0, 0, 0, 0])]);
}

function clientData(challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
}
