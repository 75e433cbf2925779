import { approvalSchema } from '#server/api/money-schemas.ts';
import { waitingListSchema } from '#server/api/operator-schemas.ts';
import { done } from '#server/api/refusal-to-trpc.ts';
import { approverProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { approveWithdrawal } from '#server/approvals/approve-withdrawal.ts';
import { findWaitingApprovals } from '#server/approvals/find-waiting-approvals.ts';
import { rejectWithdrawal } from '#server/approvals/reject-withdrawal.ts';
import { confirmWith } from '#server/auth/confirm-deed.ts';

export const approvalsRouter = router({
  list: staffProcedure.input(waitingListSchema).query(({ ctx, input }) => findWaitingApprovals(ctx.tools, input)),

  /** Bound to what was seen: the payload's hash and the revision that `list` gave. */
  approve: approverProcedure.input(approvalSchema).mutation(async ({ ctx, input }) => {
    return done(
      await approveWithdrawal(ctx.tools, {
        ...toDeed(input, ctx.session.userId),
        confirm: confirmWith(ctx.site, { userId: ctx.session.userId, stepUp: input.stepUp }),
      }),
      input.withdrawalId,
    );
  }),

  reject: approverProcedure.input(approvalSchema).mutation(async ({ ctx, input }) => {
    return done(await rejectWithdrawal(ctx.tools, toDeed(input, ctx.session.userId)), input.withdrawalId);
  }),
});

function toDeed(
  input: { withdrawalId: string; payloadSha256: string; revision: string; reason: string },
  operatorId: string,
) {
  const { withdrawalId, reason } = input;
  const seen = { payloadHash: input.payloadSha256, revision: BigInt(input.revision) };
  return { withdrawalId, operatorId, seen, reason };
}
