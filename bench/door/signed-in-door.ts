import { createServer } from 'node:http';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { z } from 'zod';
import { findSession, type Session } from '#server/auth/session.ts';
import type { Db } from '#server/db/database.ts';
import { DOOR_ORIGIN, DOOR_SECRET } from './door-session.ts';

const inputSchema = z.strictObject({
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  amount: z.string(),
});

/** A withdrawal as it was asked for, and by whom. */
export interface SignedInRequest extends z.infer<typeof inputSchema> {
  readonly customer: string;
  readonly key: string | null;
}

/**
 * The least that a tRPC API does on Node for somebody who is signed in: its own adapter, the session looked up, an input that is
 * checked. What stands behind it is the caller's, so that contestants differ in that and in nothing else.
 */
export function serveSignedIn(
  deps: { db: Db; port: number },
  request: (asked: SignedInRequest) => Promise<{ replayed: boolean }>,
): void {
  const trpc = initTRPC.context<{ session: Session | null; key: string | null }>().create();
  const router = trpc.router({
    withdrawal: trpc.router({
      request: trpc.procedure.input(inputSchema).mutation(async ({ ctx, input }) => {
        if (ctx.session === null) throw new TRPCError({ code: 'UNAUTHORIZED' });
        return await request({ ...input, customer: ctx.session.userId, key: ctx.key });
      }),
    }),
  });
  const handler = createHTTPHandler({
    router,
    basePath: '/api/trpc/',
    createContext: async ({ req }) => {
      const key = req.headers['idempotency-key'];
      const session = { cookieHeader: req.headers.cookie ?? null, publicUrl: DOOR_ORIGIN, authSecret: DOOR_SECRET };
      return { session: await findSession(deps, session), key: typeof key === 'string' ? key : null };
    },
  });
  createServer((incoming, response) => {
    if (incoming.url === '/ready') response.writeHead(200).end('ready');
    else handler(incoming, response);
  }).listen(deps.port, '127.0.0.1');
}
