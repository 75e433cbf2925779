import { auditListSchema } from '#server/api/operator-schemas.ts';
import { router, staffProcedure } from '#server/api/trpc.ts';
import { verifyAudit } from '#server/audit/verify-audit.ts';
import { csvText } from '#server/operator/csv-text.ts';
import { findAudit } from '#server/operator/find-audit.ts';

const EXPORT_MAX = 5_000;
const COLUMNS = ['seq', 'at', 'actor', 'actorId', 'action', 'subject', 'before', 'after', 'hash'] as const;

/** Who did what. It is read and verified, never written, from here. */
export const auditRouter = router({
  list: staffProcedure.input(auditListSchema).query(({ ctx, input }) => findAudit(ctx.tools, input)),

  verify: staffProcedure.query(async ({ ctx }) => {
    const { rows, firstBreak } = await verifyAudit(ctx.tools);
    return { rows, firstBreak: firstBreak?.toString() ?? null, verifiedAt: new Date().toISOString() };
  }),

  export: staffProcedure.input(auditListSchema).query(async ({ ctx, input }) => {
    const { items } = await findAudit(ctx.tools, { ...input, limit: EXPORT_MAX });
    return { csv: csvText(COLUMNS, items), rows: items.length, complete: items.length < EXPORT_MAX };
  }),
});
