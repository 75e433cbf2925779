import { refuse } from '#domain/refusal.ts';
import { confirmedBy } from '#server/api/confirmed-by.ts';
import { customerListSchema, freezeSchema } from '#server/api/operator-schemas.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { findCustomers } from '#server/operator/find-customers.ts';
import { freezeCustomer } from '#server/operator/freeze-customer.ts';

/** Customers as staff see them. Their tier is set by `operator.terms`. */
export const customersRouter = router({
  list: staffProcedure.input(customerListSchema).query(({ ctx, input }) => findCustomers(ctx.tools, input)),

  freeze: operatorProcedure.input(freezeSchema).mutation(async ({ ctx, input }) => {
    // At once by anybody on duty; let go by those who let withdrawals through.
    if (!input.frozen && ctx.session.role !== 'approver') throw new RefusalError(refuse('forbidden'));
    const { stepUp, ...deed } = input;
    return done(await freezeCustomer(ctx.tools, { ...deed, ...confirmedBy(ctx, stepUp) }));
  }),
});
