import { z } from 'zod';
import { done } from '#server/api/refusal-to-trpc.ts';
import { router, signedInProcedure } from '#server/api/trpc.ts';
import { beginPasskey } from '#server/auth/begin-passkey.ts';
import { beginSecondFactor } from '#server/auth/begin-second-factor.ts';
import { confirmTotp } from '#server/auth/confirm-totp.ts';
import { endSessions } from '#server/auth/end-sessions.ts';
import { findSecurity } from '#server/auth/find-security.ts';
import { finishPasskey } from '#server/auth/finish-passkey.ts';
import { removePasskey } from '#server/auth/remove-passkey.ts';
import { removeTotp } from '#server/auth/remove-totp.ts';
import { renewRecoveryCodes } from '#server/auth/renew-recovery-codes.ts';
import { setUpTotp } from '#server/auth/set-up-totp.ts';
import { passkeyRegistrationSchema, secondFactorAnswerSchema } from '#server/auth/step-up-schema.ts';
import { stopFactorReset } from '#server/auth/stop-factor-reset.ts';

const passwordSchema = z.strictObject({ password: z.string().max(200) });
const codeSchema = z.strictObject({ code: z.string().max(40) });
const uuid = z.uuid().transform((text) => text.toLowerCase());

/** What guards an account: second factors and sessions. Everybody changes their own and nobody else's. */
export const securityRouter = router({
  overview: signedInProcedure.query(({ ctx }) =>
    findSecurity(ctx.tools, { userId: ctx.session.userId, sessionToken: ctx.sessionToken }),
  ),

  setUpTotp: signedInProcedure.input(passwordSchema).mutation(async ({ ctx, input }) => {
    const { userId, email } = ctx.session;
    const answer = done(await setUpTotp({ db: ctx.tools.db, site: ctx.site }, { userId, email, ...input }));
    return { secret: answer.secret, uri: answer.uri };
  }),

  confirmTotp: signedInProcedure.input(codeSchema).mutation(async ({ ctx, input }) => {
    const answer = done(
      await confirmTotp({ db: ctx.tools.db, site: ctx.site }, { userId: ctx.session.userId, ...input }),
    );
    return { recoveryCodes: answer.recoveryCodes };
  }),

  /** With a code of the authenticator, or with a recovery code where it is lost. */
  removeTotp: signedInProcedure.input(codeSchema).mutation(async ({ ctx, input }) => {
    done(await removeTotp({ db: ctx.tools.db, site: ctx.site }, { userId: ctx.session.userId, ...input }));
    return { removed: true };
  }),

  /** Asks for a second factor before a deed that needs one; null for somebody who has none. */
  beginCheck: signedInProcedure.mutation(({ ctx }) =>
    beginSecondFactor({ db: ctx.tools.db, site: ctx.site }, { userId: ctx.session.userId, purpose: 'security' }),
  ),

  renewRecoveryCodes: signedInProcedure
    .input(z.strictObject({ challengeId: uuid, answer: secondFactorAnswerSchema }))
    .mutation(async ({ ctx, input }) => {
      const tools = { db: ctx.tools.db, site: ctx.site };
      const answer = done(await renewRecoveryCodes(tools, { userId: ctx.session.userId, ...input }));
      return { recoveryCodes: answer.recoveryCodes };
    }),

  /** For the owner who reads that somebody asked for a reset of their second factors. */
  stopReset: signedInProcedure.mutation(async ({ ctx }) => ({
    stopped: await stopFactorReset(ctx.tools, { userId: ctx.session.userId }),
  })),

  beginPasskey: signedInProcedure.input(passwordSchema).mutation(async ({ ctx, input }) => {
    const { userId, email, name } = ctx.session;
    const answer = done(await beginPasskey({ db: ctx.tools.db, site: ctx.site }, { userId, email, name, ...input }));
    return { challengeId: answer.challengeId, options: answer.options };
  }),

  finishPasskey: signedInProcedure
    .input(
      z.strictObject({ challengeId: uuid, label: z.string().trim().min(1).max(60), answer: passkeyRegistrationSchema }),
    )
    .mutation(async ({ ctx, input }) => {
      const tools = { db: ctx.tools.db, site: ctx.site };
      const answer = done(await finishPasskey(tools, { userId: ctx.session.userId, ...input }));
      return { recoveryCodes: answer.recoveryCodes };
    }),

  removePasskey: signedInProcedure
    .input(z.strictObject({ passkeyId: uuid, password: z.string().max(200) }))
    .mutation(async ({ ctx, input }) => {
      done(await removePasskey(ctx.tools, { userId: ctx.session.userId, ...input }));
      return { removed: true };
    }),

  /** One session, or all but this one. */
  endSessions: signedInProcedure
    .input(z.strictObject({ sessionId: uuid.nullable() }))
    .mutation(({ ctx, input }) =>
      endSessions(ctx.tools, { userId: ctx.session.userId, sessionToken: ctx.sessionToken, ...input }),
    ),
});
