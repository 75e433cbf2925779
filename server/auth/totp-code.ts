import { generateSecret, generateSync, generateURI, verifySync } from 'otplib';

/** One step to both sides: clocks of phones are some seconds off, and people finish typing after the turn. */
const TOLERANCE_SECONDS = 30;

/** A fresh secret for an authenticator, in base32. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** What an authenticator reads from the picture: issuer, account and secret. */
export function totpUri(input: { secret: string; email: string }): string {
  return generateURI({ issuer: 'CryptoEx', label: input.email, secret: input.secret });
}

/**
 * The next code that would still be taken, one step ahead at most; none where the newest that may be taken was. Only for
 * showing the authenticator of a demo person.
 */
export function nextTotpCode(input: { secret: string; nowSeconds: number; lastStep: number }): {
  code: string | null;
  waitSeconds: number;
} {
  const now = Math.floor(input.nowSeconds);
  const step = Math.max(Math.floor(now / 30), input.lastStep + 1);
  const begins = (step - 1) * 30;
  if (begins > now) return { code: null, waitSeconds: begins - now };
  return { code: generateSync({ secret: input.secret, epoch: step * 30 }), waitSeconds: 0 };
}

/**
 * The time step of a code, or null when it is wrong, or no newer than the last one that was taken. (RFC 6238, 5.2: a code
 * is taken once.)
 *
 * @param input.nowSeconds the wall clock; authenticators know no other
 */
export function readTotpCode(input: {
  secret: string;
  code: string;
  nowSeconds: number;
  lastStep: number;
}): number | null {
  const { secret, nowSeconds, lastStep } = input;
  const token = input.code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const now = Math.floor(nowSeconds);
  // Nothing can be newer than the newest: asking would be an error of ours.
  if (lastStep >= Math.floor((now + TOLERANCE_SECONDS) / 30)) return null;
  const result = verifySync({
    secret,
    token,
    epoch: now,
    epochTolerance: TOLERANCE_SECONDS,
    afterTimeStep: lastStep,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
