import { auditListSchema } from '#server/api/operator-schemas.ts';
import { router, staffProcedure } from '#server/api/trpc.ts';
import { verifyAudit } from '#server/audit/verify-audit.ts';
import { findAudit } from '#server/operator/find-audit.ts';

/** Who did what. It is read and verified, never written, from here. */
export const auditRouter = router({
  list: staffProcedure.input(auditListSchema).query(({ ctx, input }) => findAudit(ctx.tools, input)),

  verify: staffProcedure.query(async ({ ctx }) => {
    const { rows, firstBreak } = await verifyAudit(ctx.tools);
    return { rows, firstBreak: firstBreak?.toString() ?? null, verifiedAt: new Date().toISOString() };
  }),
});
