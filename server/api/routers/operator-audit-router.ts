import { auditListSchema, auditPlaceSchema } from '#server/api/operator-schemas.ts';
import { router, staffProcedure } from '#server/api/trpc.ts';
import { verifyAudit } from '#server/audit/verify-audit.ts';
import { findAudit } from '#server/operator/find-audit.ts';

/** A fifth of a second, whatever the length of the chain. */
const ROWS_AT_ONCE = 50_000;

/** Who did what. It is read and verified, never written, from here. */
export const auditRouter = router({
  list: staffProcedure.input(auditListSchema).query(({ ctx, input }) => findAudit(ctx.tools, input)),

  /** A part of the chain, from the place where the part before it ended. */
  verify: staffProcedure.input(auditPlaceSchema).query(async ({ ctx, input }) => {
    const after = { seq: BigInt(input.afterSeq), hash: input.afterHash };
    const { rows, through, firstBreak, more } = await verifyAudit(ctx.tools, { after, rows: ROWS_AT_ONCE });
    return {
      rows,
      throughSeq: through.seq.toString(),
      throughHash: through.hash,
      firstBreak: firstBreak?.toString() ?? null,
      more,
    };
  }),
});
