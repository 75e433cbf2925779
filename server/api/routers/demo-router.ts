import { refuse } from '#domain/refusal.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { router, signedInProcedure } from '#server/api/trpc.ts';
import { findMailbox } from '#server/notifications/find-mailbox.ts';

/** What only the demo has. Outside it these do not exist. */
export const demoRouter = router({
  mailbox: signedInProcedure.query(async ({ ctx }) => {
    if (ctx.tools.demoMode !== true) throw new RefusalError(refuse('not_found'));
    return { messages: await findMailbox(ctx.tools, { userId: ctx.session.userId }) };
  }),
});
