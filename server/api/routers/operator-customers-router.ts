import { refuse } from '#domain/refusal.ts';
import { customerListSchema, freezeSchema } from '#server/api/operator-schemas.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { confirmWith } from '#server/auth/confirm-deed.ts';
import { findCustomers } from '#server/operator/find-customers.ts';
import { freezeCustomer } from '#server/operator/freeze-customer.ts';

/** Customers as staff see them. Their tier is set by `operator.terms`. */
export const customersRouter = router({
  list: staffProcedure.input(customerListSchema).query(({ ctx, input }) => findCustomers(ctx.tools, input)),

  freeze: operatorProcedure.input(freezeSchema).mutation(async ({ ctx, input }) => {
    // At once by anybody on duty; let go by those who let withdrawals through.
    if (!input.frozen && ctx.session.role !== 'approver') throw new RefusalError(refuse('forbidden'));
    const { stepUp, ...deed } = input;
    const { userId } = ctx.session;
    const confirm = confirmWith(ctx.site, { userId, stepUp });
    return done(await freezeCustomer(ctx.tools, { ...deed, actorId: userId, confirm }));
  }),
});
