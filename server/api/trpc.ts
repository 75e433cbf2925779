import { initTRPC } from '@trpc/server';
import { refuse } from '#domain/refusal.ts';
import type { ApiContext } from '#server/api/context.ts';
import { RefusalError, refusalOnTheWire, toRefusalError, toTrpcError } from '#server/api/refusal-to-trpc.ts';
import { isStaff } from '#server/auth/roles.ts';
import { logger } from '#server/logger.ts';

const trpc = initTRPC.context<ApiContext>().create({
  // Never a stack on the wire, whatever NODE_ENV says.
  isDev: false,
  errorFormatter: ({ shape, error, type, ctx }) => {
    const { refusal } = {
      refusal: refusalOnTheWire(toRefusalError(error, type === 'mutation' ? 'mutation' : 'query')),
    };
    const httpStatus = shape.data.httpStatus === 500 ? 503 : shape.data.httpStatus;
    return {
      ...shape,
      message: refusal.message,
      data: { code: shape.data.code, path: shape.data.path, httpStatus, refusal, requestId: ctx?.requestId },
    };
  },
});

export const router = trpc.router;

/** Everything a procedure throws leaves as a refusal; what is none is written to the log with the id of the request. */
const mapErrors = trpc.middleware(async ({ next, type, path, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const error = toTrpcError(result.error, type);
  if (error.code === 'SERVICE_UNAVAILABLE') {
    logger().error('api.unavailable', result.error.cause ?? result.error, { path, requestId: ctx.requestId });
  } else {
    // People name this id to the support.
    const { refusal } = toRefusalError(error, type);
    logger().info('api.refused', { path, code: refusal.code, requestId: ctx.requestId });
  }
  throw error;
});

/** For whoever asks; `ctx.session` is null for the signed-out. */
export const openProcedure = trpc.procedure
  .use(mapErrors)
  .use(async ({ ctx, next }) => next({ ctx: { session: await ctx.findSession() } }));

/**
 * For anybody signed in. Looks wait in a line of their own, so that neither a page with a hundred polls nor one that waits
 * for its own request takes the connections of everybody else.
 */
export const signedInProcedure = openProcedure.use(({ ctx, next, type }) => {
  const { session } = ctx;
  if (session === null) throw new RefusalError(refuse('unauthorized'));
  const go = () => next({ ctx: { session } });
  return type === 'query' ? ctx.tools.gate.run(`look ${session.userId}`, go) : go();
});

/** For customers: a signed-in person who owns withdrawals. */
export const customerProcedure = signedInProcedure.use(({ ctx, next }) => {
  if (ctx.session.role !== 'customer') throw new RefusalError(refuse('forbidden'));
  return next();
});

/** For staff, who see everybody's withdrawals and own none. */
export const staffProcedure = signedInProcedure.use(({ ctx, next }) => {
  // Nothing here is for customers to know about, not even that it exists.
  if (!isStaff(ctx.session.role)) throw new RefusalError(refuse('not_found'));
  return next();
});

/** For staff who change something: operators and approvers. Auditors only look. */
export const operatorProcedure = staffProcedure.use(({ ctx, next }) => {
  const { role } = ctx.session;
  if (role !== 'operator' && role !== 'approver') throw new RefusalError(refuse('forbidden'));
  return next();
});

/** For those who let withdrawals through. */
export const approverProcedure = staffProcedure.use(({ ctx, next }) => {
  if (ctx.session.role !== 'approver') throw new RefusalError(refuse('forbidden'));
  return next();
});
