import { refuse } from '#domain/refusal.ts';
import { addAddress } from '#server/addresses/add-address.ts';
import { findAddressBook } from '#server/addresses/find-address-book.ts';
import { findContract } from '#server/addresses/find-contract.ts';
import { removeAddress } from '#server/addresses/remove-address.ts';
import { setAllowList } from '#server/addresses/set-allow-list.ts';
import { addressIdSchema, allowListSchema, evmAddressSchema, newAddressSchema } from '#server/api/money-schemas.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import { customerProcedure, router } from '#server/api/trpc.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import { readEnv } from '#server/env.ts';

export const addressBookRouter = router({
  list: customerProcedure.query(({ ctx }) => findAddressBook(ctx.tools, { customerId: ctx.session.userId })),

  /** Whether a contract lives at an address of the chain that we read, for a warning before anything is sent there. */
  contract: customerProcedure.input(evmAddressSchema).query(async ({ input }) => {
    const { chainRpcUrl } = readEnv();
    return { kind: chainRpcUrl === null ? 'unknown' : await findContract({ chainRpcUrl, address: input.address }) };
  }),

  add: customerProcedure.input(newAddressSchema).mutation(async ({ ctx, input }) => {
    const customerId = ctx.session.userId;
    await openCustomer(ctx.tools, { userId: customerId });
    const answer = done(await addAddress(ctx.tools, { customerId, ...input }));
    return { entry: answer.entry };
  }),

  remove: customerProcedure.input(addressIdSchema).mutation(async ({ ctx, input }) => {
    const answer = await removeAddress(ctx.tools, { customerId: ctx.session.userId, ...input });
    if (answer.kind === 'absent') throw new RefusalError(refuse('not_found'));
    return answer;
  }),

  setAllowList: customerProcedure.input(allowListSchema).mutation(async ({ ctx, input }) => {
    const customerId = ctx.session.userId;
    await openCustomer(ctx.tools, { userId: customerId });
    await setAllowList(ctx.tools, { customerId, on: input.on });
    return await findAddressBook(ctx.tools, { customerId });
  }),
});
