import { savedViewIdSchema, savedViewSchema } from '#server/api/operator-schemas.ts';
import { done } from '#server/api/refusal-to-trpc.ts';
import { router, staffProcedure } from '#server/api/trpc.ts';
import { findSavedViews, forgetView, saveView } from '#server/operator/saved-views.ts';

/** Views of the list that each of the staff keeps for themselves; they are there on every device. */
export const savedViewsRouter = router({
  list: staffProcedure.query(async ({ ctx }) => ({
    items: await findSavedViews(ctx.tools, { userId: ctx.session.userId }),
  })),

  save: staffProcedure.input(savedViewSchema).mutation(async ({ ctx, input }) => {
    return done(await saveView(ctx.tools, { ...input, userId: ctx.session.userId }));
  }),

  forget: staffProcedure.input(savedViewIdSchema).mutation(async ({ ctx, input }) => {
    await forgetView(ctx.tools, { ...input, userId: ctx.session.userId });
    return { kind: 'forgotten' as const };
  }),
});
