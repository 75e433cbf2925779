import { z } from 'zod';
import { customerProcedure, router } from '#server/api/trpc.ts';
import { findDeposits } from '#server/deposits/find-deposits.ts';
import { issueDepositAddresses } from '#server/deposits/issue-deposit-addresses.ts';

export const depositRouter = router({
  addresses: customerProcedure.query(async ({ ctx }) => ({
    addresses: await issueDepositAddresses(ctx.tools, { customerId: ctx.session.userId }),
  })),

  list: customerProcedure
    .input(z.strictObject({ limit: z.number().int().min(1).max(100).default(50) }))
    .query(({ ctx, input }) => findDeposits(ctx.tools, { customerId: ctx.session.userId, limit: input.limit })),
});
