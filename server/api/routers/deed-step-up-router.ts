import { refuse } from '#domain/refusal.ts';
import { deedSubjectOf } from '#server/api/deed-subject.ts';
import { deedSchema } from '#server/api/operator-schemas.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router } from '#server/api/trpc.ts';
import { beginPasskeyStepUp } from '#server/auth/begin-passkey-step-up.ts';
import { findDeedFingerprint } from '#server/auth/confirm-deed.ts';
import { findDeedStepUp } from '#server/auth/find-deed-step-up.ts';

/** The second factor of whoever does what moves money. */
export const deedStepUpRouter = router({
  /** What this person can confirm with. */
  need: operatorProcedure.query(({ ctx }) => {
    const { userId, email } = ctx.session;
    return findDeedStepUp(ctx.tools, { userId, email, demoMode: ctx.tools.demoMode === true });
  }),

  /** Asks their passkeys to sign exactly this deed, as its row stands now. */
  begin: operatorProcedure.input(deedSchema).mutation(async ({ ctx, input }) => {
    const about = deedSubjectOf(input, await ctx.tools.catalogue.read());
    const fingerprint = await findDeedFingerprint(ctx.tools, about);
    if (fingerprint === null) throw new RefusalError(refuse('not_found'));
    const { userId } = ctx.session;
    return beginPasskeyStepUp({ db: ctx.tools.db, site: ctx.site }, { userId, fingerprint, purpose: 'deed' });
  }),
});
