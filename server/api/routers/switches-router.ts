import { refuse } from '#domain/refusal.ts';
import { confirmedBy } from '#server/api/confirmed-by.ts';
import { confirmResumeSchema, pauseSchema, switchIdSchema } from '#server/api/money-schemas.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { confirmResume } from '#server/switches/confirm-resume.ts';
import { findSwitches } from '#server/switches/find-switches.ts';
import { pausePayouts } from '#server/switches/pause-payouts.ts';
import { proposeResume } from '#server/switches/propose-resume.ts';

export const switchesRouter = router({
  list: staffProcedure.query(async ({ ctx }) => ({ items: await findSwitches(ctx.tools) })),

  pause: operatorProcedure.input(pauseSchema).mutation(async ({ ctx, input }) => {
    // A scope without a target would pause nothing, and "all" with one would look like less than it is.
    if ((input.scope === 'all') !== (input.target === '')) {
      throw new RefusalError(refuse('request_malformed', { fields: ['target'] }));
    }
    return done(await pausePayouts(ctx.tools, { ...input, actorId: ctx.session.userId }));
  }),

  proposeResume: operatorProcedure.input(switchIdSchema).mutation(async ({ ctx, input }) => {
    return done(await proposeResume(ctx.tools, { ...input, actorId: ctx.session.userId }));
  }),

  confirmResume: operatorProcedure.input(confirmResumeSchema).mutation(async ({ ctx, input }) => {
    const { switchId, stepUp } = input;
    return done(await confirmResume(ctx.tools, { switchId, ...confirmedBy(ctx, stepUp) }));
  }),
});
