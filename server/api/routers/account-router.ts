import { z } from 'zod';
import { LANGUAGES } from '#domain/language.ts';
import { formatAmount } from '#domain/money.ts';
import { customerProcedure, openProcedure, router, signedInProcedure } from '#server/api/trpc.ts';
import { keepLanguage } from '#server/auth/keep-language.ts';
import { findLimitLeft } from '#server/customers/find-limit-left.ts';
import { findBalances } from '#server/ledger/find-balances.ts';

export const accountRouter = router({
  /** Who is signed in; null for nobody. */
  me: openProcedure.query(({ ctx }) => {
    const { session } = ctx;
    if (session === null) return null;
    return { id: session.userId, name: session.name, email: session.email, role: session.role };
  }),

  /** In which language we write to the person. */
  setLanguage: signedInProcedure
    .input(z.strictObject({ language: z.enum(LANGUAGES) }))
    .mutation(async ({ ctx, input }) => {
      await keepLanguage(ctx.tools, { userId: ctx.session.userId, language: input.language });
      return { language: input.language };
    }),

  /** What is left of today's limit; null for somebody who has no limits. */
  limit: customerProcedure.query(({ ctx }) => findLimitLeft(ctx.tools, { customerId: ctx.session.userId })),

  balances: customerProcedure.query(async ({ ctx }) => {
    const balances = await findBalances(ctx.tools, { customerId: ctx.session.userId });
    return {
      balances: balances.map(({ assetId, name, decimals, availableMinor, heldMinor }) => ({
        assetId,
        name,
        decimals,
        available: formatAmount(availableMinor, decimals),
        held: formatAmount(heldMinor, decimals),
      })),
    };
  }),
});
