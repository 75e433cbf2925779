import { formatAmount } from '#domain/money.ts';
import { refuse } from '#domain/refusal.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { approvalsRouter } from '#server/api/routers/approvals-router.ts';
import { casesRouter } from '#server/api/routers/cases-router.ts';
import { deedStepUpRouter } from '#server/api/routers/deed-step-up-router.ts';
import { adjustmentsRouter } from '#server/api/routers/ledger-router.ts';
import { auditRouter } from '#server/api/routers/operator-audit-router.ts';
import { customersRouter } from '#server/api/routers/operator-customers-router.ts';
import { doubtRouter } from '#server/api/routers/operator-doubt-router.ts';
import { labRouter } from '#server/api/routers/operator-lab-router.ts';
import { overviewRouter } from '#server/api/routers/operator-overview-router.ts';
import { queuesRouter } from '#server/api/routers/operator-queue-router.ts';
import { reconciliationRouter } from '#server/api/routers/reconciliation-router.ts';
import { savedViewsRouter } from '#server/api/routers/saved-views-router.ts';
import { switchesRouter } from '#server/api/routers/switches-router.ts';
import { termsRouter } from '#server/api/routers/terms-router.ts';
import { operatorListSchema, withdrawalIdSchema } from '#server/api/schemas.ts';
import { router, staffProcedure } from '#server/api/trpc.ts';
import { findTrialBalance } from '#server/ledger/find-trial-balance.ts';
import { findAllWithdrawals } from '#server/withdrawals/find-all-withdrawals.ts';
import { findEvidence } from '#server/withdrawals/find-evidence.ts';
import { askCustody } from '#server/withdrawals/find-proof.ts';
import { findWithdrawal } from '#server/withdrawals/find-withdrawals.ts';
import { timelineOf } from '#server/withdrawals/withdrawal-timeline.ts';
import { findTerms, toWithdrawalView } from '#server/withdrawals/withdrawal-view.ts';

export const operatorRouter = router({
  approvals: approvalsRouter,
  switches: switchesRouter,
  adjustments: adjustmentsRouter,
  terms: termsRouter,
  overview: overviewRouter,
  doubts: doubtRouter,
  cases: casesRouter,
  stepUp: deedStepUpRouter,
  queues: queuesRouter,
  audit: auditRouter,
  customers: customersRouter,
  lab: labRouter,
  reconciliation: reconciliationRouter,
  views: savedViewsRouter,
  trialBalance: staffProcedure.query(({ ctx }) => findTrialBalance(ctx.tools)),

  withdrawals: staffProcedure.input(operatorListSchema).query(async ({ ctx, input }) => {
    const { status: statuses, direction: _, ...page } = input;
    return findAllWithdrawals(ctx.tools, { ...page, statuses, catalogue: await ctx.tools.catalogue.read() });
  }),

  withdrawal: staffProcedure.input(withdrawalIdSchema).query(async ({ ctx, input }) => {
    const found = await findWithdrawal(ctx.tools, { withdrawalId: input.withdrawalId, customerId: null });
    if (found.kind !== 'found') throw new RefusalError(refuse('not_found'));
    const { withdrawal } = found;
    const [catalogue, evidence, custody] = await Promise.all([
      ctx.tools.catalogue.read(),
      findEvidence(ctx.tools, { withdrawalId: withdrawal.withdrawalId }),
      askCustody(ctx.tools, { reference: withdrawal.idempotencyKey }),
    ]);
    const { decimals } = findTerms(withdrawal, catalogue);
    return {
      withdrawal: {
        ...toWithdrawalView(found, catalogue),
        customerId: withdrawal.customerId,
        customerEmail: evidence.customer_email,
        fence: withdrawal.fence.toString(),
        provider: withdrawal.provider,
        transferId: withdrawal.transferId,
        revision: withdrawal.revision.toString(),
        nextActionAt: withdrawal.nextActionAt?.toISOString() ?? null,
        parkedReason: withdrawal.parkedReason,
      },
      timeline: timelineOf(evidence, decimals),
      ledger: evidence.ledger.map(({ kind, debit, credit, amountMinor }) => ({
        transferKind: kind,
        debit,
        credit,
        amount: formatAmount(amountMinor, decimals),
      })),
      // Null where custody did not answer, which is not the same as an empty list.
      custody: custody === null ? null : { transfers: custody },
    };
  }),
});
