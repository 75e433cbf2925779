import { APIError, createAuthEndpoint, createAuthMiddleware } from 'better-auth/api';
import { deleteSessionCookie, setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';
import { REFUSALS, type Refusal } from '#domain/refusal.ts';
import { askFactorReset, type TellOfReset } from '#server/auth/ask-factor-reset.ts';
import { beginSecondFactor } from '#server/auth/begin-second-factor.ts';
import type { Site } from '#server/auth/check-step-up.ts';
import { passSecondFactor } from '#server/auth/pass-second-factor.ts';
import { startFactorReset } from '#server/auth/start-factor-reset.ts';
import { secondFactorAnswerSchema } from '#server/auth/step-up-schema.ts';
import type { Database } from '#server/db/database.ts';

const PASS_PATH = '/sign-in/second-factor';

/**
 * The second half of signing in. Whoever has a second factor gets no session for the password alone, by whatever path the
 * accounts library would give one: it is taken back, and a question goes out in its place.
 */
export function secondFactorPlugin(deps: { db: Database; site: Site; tell: TellOfReset }) {
  return {
    id: 'second-factor',
    hooks: {
      after: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async (call) => {
            const created = call.context.newSession;
            if (created === null || call.path === PASS_PATH) return;
            // Somebody signed in who changes their own session, as a new password does.
            if (call.context.session?.user.id === created.user.id) return;
            const question = await beginSecondFactor(deps, { userId: created.user.id, purpose: 'sign_in' });
            if (question === null) return;
            deleteSessionCookie(call, true);
            await call.context.internalAdapter.deleteSession(created.session.token);
            call.context.setNewSession(null);
            return call.json({ secondFactor: question });
          }),
        },
      ],
    },
    endpoints: {
      passSecondFactor: createAuthEndpoint(
        PASS_PATH,
        { method: 'POST', body: z.strictObject({ challengeId: z.uuid(), answer: secondFactorAnswerSchema }) },
        async (call) => {
          const result = await passSecondFactor(deps, { ...call.body, purpose: 'sign_in' });
          if (result.kind === 'refused') throw refusalError(result.refusal);
          const user = await call.context.internalAdapter.findUserById(result.userId);
          if (user === null) throw new APIError('UNAUTHORIZED');
          const session = await call.context.internalAdapter.createSession(user.id);
          await setSessionCookie(call, { session, user });
          return call.json({ user: { id: user.id } });
        },
      ),
      askSecondFactorReset: createAuthEndpoint(
        '/sign-in/lost-second-factor',
        { method: 'POST', body: z.strictObject({ challengeId: z.uuid() }) },
        async (call) => {
          const outcome = await askFactorReset({ ...deps, publicUrl: deps.site.publicUrl }, call.body);
          if (outcome === 'expired') throw refusalError({ code: 'second_factor_expired' });
          return call.json({ outcome });
        },
      ),
      startSecondFactorReset: createAuthEndpoint(
        '/second-factor-reset/start',
        { method: 'POST', body: z.strictObject({ token: z.string().max(200) }) },
        async (call) => {
          const dueAt = await startFactorReset(deps, call.body);
          if (dueAt === null) throw refusalError({ code: 'already_done' });
          return call.json({ dueAt });
        },
      ),
    },
  };
}

function refusalError({ code, detail }: Refusal): APIError {
  const status = REFUSALS[code].httpStatus === 429 ? 'TOO_MANY_REQUESTS' : 'FORBIDDEN';
  return new APIError(status, { code, message: REFUSALS[code].message, detail: detail ?? null });
}
