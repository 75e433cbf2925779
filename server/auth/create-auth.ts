import { randomUUID } from 'node:crypto';
import { type BetterAuthPlugin, betterAuth } from 'better-auth';
import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, createAuthMiddleware, isAPIError } from 'better-auth/api';
import { chooseLanguage, type Language } from '#domain/language.ts';
import { keepLanguage } from '#server/auth/keep-language.ts';
import type { PasswordGuesses } from '#server/auth/password-guesses.ts';
import { COOKIE_PREFIX, findCookie } from '#server/auth/session-cookie.ts';
import type { Database } from '#server/db/database.ts';
import { logger } from '#server/logger.ts';

/** Where the web process writes the address of the caller's socket; what a client sent under this name is dropped. */
export const CLIENT_ADDRESS_HEADER = 'x-client-address';

/** Calls of one address in one process; behind them stand the counts of each account, in Redis and in the database. */
const RATE_RULES = {
  '/sign-in/email': { window: 60, max: 30 },
  '/sign-in/second-factor': { window: 60, max: 30 },
  // Each sends a mail.
  '/sign-in/lost-second-factor': { window: 600, max: 5 },
};

export interface AuthMail {
  readonly kind: 'email_verification' | 'password_reset';
  readonly userId: string;
  /** A page of ours that asks for a press: mail programs open links by themselves. */
  readonly url: string;
}

/**
 * The writer of accounts and sessions. Who is signed in is read by `session.ts`, in one statement of our own.
 *
 * @param input.secret signs the cookies
 * @param input.onUserCreated opens what a new person needs; it may be called again for the same person
 */
export function createAuth(
  deps: { db: Database },
  input: {
    publicUrl: string;
    secret: string;
    onUserCreated: (userId: string) => Promise<void>;
    /** Puts a mail with a link into the outbox; null sends none. */
    mail: ((mail: AuthMail) => Promise<void>) | null;
    /** Bounds wrong passwords for one account; null bounds none. */
    guesses: PasswordGuesses | null;
    /** Asks whoever has a second factor for it; null takes the password alone. */
    secondFactor: BetterAuthPlugin | null;
  },
) {
  const { mail, guesses } = input;
  return betterAuth({
    appName: 'CryptoEx',
    baseURL: input.publicUrl,
    basePath: '/api/auth',
    secret: input.secret,
    trustedOrigins: [input.publicUrl],
    database: prismaAdapter(deps.db.prisma, { provider: 'postgresql' }),
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 12,
      autoSignIn: true,
      revokeSessionsOnPasswordReset: true,
      ...(mail === null
        ? {}
        : {
            sendResetPassword: ({ user, token }: { user: { id: string }; token: string }) =>
              mail({ kind: 'password_reset', userId: user.id, url: linkTo(input.publicUrl, 'reset-password', token) }),
          }),
    },
    ...(mail === null
      ? {}
      : {
          emailVerification: {
            sendOnSignUp: true,
            sendVerificationEmail: ({ user, token }: { user: { id: string }; token: string }) =>
              mail({
                kind: 'email_verification',
                userId: user.id,
                url: linkTo(input.publicUrl, 'verify-email', token),
              }),
          },
        }),
    user: {
      // Not taken from any request: a role is given by people, in the database.
      additionalFields: {
        role: { type: 'string', input: false, defaultValue: 'customer' },
        // In which we write to the person: that of the page they signed up or in with.
        language: { type: 'string', input: false, defaultValue: 'en' },
      },
    },
    session: { expiresIn: 7 * 24 * 3600, disableSessionRefresh: true },
    databaseHooks: {
      user: {
        create: {
          before: async (user, call) => ({ data: { ...user, language: languageOf(call?.headers) } }),
          after: (user) => input.onUserCreated(user.id),
        },
      },
    },
    plugins: input.secondFactor === null ? [] : [input.secondFactor],
    hooks: {
      before: createAuthMiddleware(async (call) => {
        const email = guesses === null ? null : signInEmail(call);
        if (email !== null && (await guesses?.isSpent(email)) === true) throw new APIError('TOO_MANY_REQUESTS');
      }),
      after: createAuthMiddleware(async (call) => {
        const email = guesses === null ? null : signInEmail(call);
        if (email !== null && isAPIError(call.context.returned)) await guesses?.count(email);
        const signedIn = call.path.startsWith('/sign-in/') ? call.context.newSession : null;
        if (signedIn !== null)
          await keepLanguage(deps, { userId: signedIn.user.id, language: languageOf(call.headers) });
      }),
    },
    // Guessing a password costs this much; the pages themselves never come near it.
    rateLimit: { enabled: true, window: 60, max: 300, customRules: RATE_RULES },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (level, message) => logger().warn('auth.notice', { level, message }) },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: input.publicUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
      database: { generateId: () => randomUUID() },
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
    },
  });
}

function linkTo(publicUrl: string, page: string, token: string): string {
  return `${publicUrl}/${page}?token=${encodeURIComponent(token)}`;
}

/** The language of the page that asks. */
function languageOf(headers: Headers | undefined): Language {
  const chosen = findCookie(headers?.get('cookie') ?? '', 'language') ?? undefined;
  return chooseLanguage({ chosen, accepted: headers?.get('accept-language') });
}

/** The address that somebody tries to sign in with; null for every other call. */
function signInEmail(call: { path: string; body: unknown }): string | null {
  if (call.path !== '/sign-in/email' || typeof call.body !== 'object' || call.body === null) return null;
  const email = 'email' in call.body ? call.body.email : null;
  return typeof email === 'string' ? email : null;
}
