import { z } from 'zod';
import { parseIdempotencyKey } from '#domain/idempotency-key.ts';
import { refuse } from '#domain/refusal.ts';
import type { IdempotencyKey } from '#domain/withdrawal.ts';
import { acceptWithdrawalRequest } from '#server/api/accept-withdrawal-request.ts';
import { mintWithdrawalId } from '#server/api/mint-withdrawal-id.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import {
  idempotencyKeySchema,
  pairSchema,
  withdrawalIdSchema,
  withdrawalListSchema,
  type withdrawalRequestSchema,
} from '#server/api/schemas.ts';
import { passkeyStepUpOf, stepUpNeedOf } from '#server/api/step-up-of-request.ts';
import { customerProcedure, router, signedInProcedure } from '#server/api/trpc.ts';
import { isStaff } from '#server/auth/roles.ts';
import type { Session } from '#server/auth/session.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import { cancelWithdrawal } from '#server/withdrawals/cancel-withdrawal.ts';
import { findProof } from '#server/withdrawals/find-proof.ts';
import { findQuote } from '#server/withdrawals/find-quote.ts';
import {
  type FoundWithdrawal,
  findWithdrawal,
  findWithdrawalByKey,
  findWithdrawals,
} from '#server/withdrawals/find-withdrawals.ts';
import { giveUpKey } from '#server/withdrawals/give-up-key.ts';
import { toWithdrawalView } from '#server/withdrawals/withdrawal-view.ts';

export const withdrawalRouter = router({
  /** Typed for clients and not checked here: a known key is answered whatever its body holds. */
  request: customerProcedure
    .input(z.custom<z.input<typeof withdrawalRequestSchema>>())
    .mutation(async ({ ctx, input }) => {
      const { replayed, ...seen } = await acceptWithdrawalRequest(ctx, { customerId: ctx.session.userId, body: input });
      return { replayed, withdrawal: toWithdrawalView(seen, await ctx.tools.catalogue.read()) };
    }),

  /** What will have to confirm these values; takes the input of `request`. */
  stepUp: customerProcedure
    .input(z.custom<z.input<typeof withdrawalRequestSchema>>())
    .query(({ ctx, input }) => stepUpNeedOf(ctx, { userId: ctx.session.userId, body: input })),

  /** What a passkey has to sign to confirm exactly these values. */
  beginStepUp: customerProcedure
    .input(z.custom<z.input<typeof withdrawalRequestSchema>>())
    .mutation(({ ctx, input }) => passkeyStepUpOf(ctx, { userId: ctx.session.userId, body: input })),

  byId: signedInProcedure.input(withdrawalIdSchema).query(async ({ ctx, input }) => {
    const customerId = ownerFilter(ctx.session);
    const found = present(await findWithdrawal(ctx.tools, { withdrawalId: input.withdrawalId, customerId }));
    return toWithdrawalView(found, await ctx.tools.catalogue.read());
  }),

  byKey: customerProcedure.input(idempotencyKeySchema).query(async ({ ctx, input }) => {
    const idempotencyKey = readKey(input.idempotencyKey);
    const found = await findWithdrawalByKey(ctx.tools, { idempotencyKey, customerId: ctx.session.userId });
    if (found.kind === 'absent') return { withdrawal: null };
    return { withdrawal: toWithdrawalView(present(found), await ctx.tools.catalogue.read()) };
  }),

  list: customerProcedure.input(withdrawalListSchema).query(async ({ ctx, input }) => {
    const { status: statuses, direction: _, ...page } = input;
    const catalogue = await ctx.tools.catalogue.read();
    const found = await findWithdrawals(ctx.tools, { customerId: ctx.session.userId, statuses, ...page });
    return { items: found.items.map((seen) => toWithdrawalView(seen, catalogue)), nextCursor: found.nextCursor };
  }),

  cancel: customerProcedure.input(withdrawalIdSchema).mutation(async ({ ctx, input }) => {
    const customerId = ctx.session.userId;
    const answer = await ctx.tools.gate.run(customerId, () => cancelWithdrawal(ctx.tools, { customerId, ...input }));
    if (answer.kind === 'absent') throw new RefusalError(refuse('not_found'));
    return { kind: answer.kind, withdrawal: toWithdrawalView(answer, await ctx.tools.catalogue.read()) };
  }),

  giveUp: customerProcedure.input(idempotencyKeySchema).mutation(async ({ ctx, input }) => {
    const customerId = ctx.session.userId;
    const deed = { withdrawalId: mintWithdrawalId(), idempotencyKey: readKey(input.idempotencyKey), customerId };
    const given = await ctx.tools.gate.run(customerId, async () => {
      const first = await giveUpKey(ctx.tools, deed);
      if (first.kind !== 'no_customer') return first;
      await openCustomer(ctx.tools, { userId: customerId });
      return await giveUpKey(ctx.tools, deed);
    });
    const answer = done(given);
    if (answer.kind !== 'exists') return { kind: 'given_up' as const };
    return { kind: answer.kind, withdrawal: toWithdrawalView(answer, await ctx.tools.catalogue.read()) };
  }),

  quote: customerProcedure.input(pairSchema).query(async ({ ctx, input }) => {
    const quote = await findQuote(ctx.tools, { customerId: ctx.session.userId, ...input });
    if (quote.kind === 'refused') throw new RefusalError(quote.refusal);
    return quote.quote;
  }),

  proof: signedInProcedure.input(withdrawalIdSchema).query(async ({ ctx, input }) => {
    const customerId = ownerFilter(ctx.session);
    const found = present(await findWithdrawal(ctx.tools, { withdrawalId: input.withdrawalId, customerId }));
    return findProof(ctx.tools, { seen: found, catalogue: await ctx.tools.catalogue.read() });
  }),
});

/** Customers see what is theirs; to staff nothing is hidden. */
function ownerFilter(session: Session): string | null {
  return isStaff(session.role) ? null : session.userId;
}

function present(found: FoundWithdrawal): FoundWithdrawal & { kind: 'found' } {
  if (found.kind === 'found') return found;
  if (found.kind === 'given_up') throw new RefusalError(refuse('given_up'), found.withdrawalId);
  throw new RefusalError(refuse('not_found'));
}

function readKey(text: string): IdempotencyKey {
  const parsed = parseIdempotencyKey(text);
  if (parsed.kind === 'malformed') {
    throw new RefusalError(refuse('idempotency_key_malformed', { fields: ['idempotencyKey'] }));
  }
  return parsed.key;
}
