import { createServer } from 'node:http';
import { initTRPC, TRPCError } from '@trpc/server';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import { z } from 'zod';
import { findSession, type Session } from '#server/auth/session.ts';
import { createDatabase } from '#server/db/database.ts';
import { DOOR_ORIGIN, DOOR_SECRET } from './door-session.ts';

// The least that a tRPC API does on Node: its own adapter, a signed-in session, an input that is checked, and nothing done.
const { DATABASE_URL: url = '', PORT: port = '' } = process.env;
const db = createDatabase({ url, max: 16, applicationName: 'cryptoex-bench-no-op' });
const trpc = initTRPC.context<{ session: Session | null }>().create();
const input = z.strictObject({
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  amount: z.string(),
});
const router = trpc.router({
  withdrawal: trpc.router({
    request: trpc.procedure.input(input).mutation(({ ctx }) => {
      if (ctx.session === null) throw new TRPCError({ code: 'UNAUTHORIZED' });
      return { replayed: false };
    }),
  }),
});
const handler = createHTTPHandler({
  router,
  basePath: '/api/trpc/',
  createContext: async ({ req }) => ({
    session: await findSession(
      { db },
      { cookieHeader: req.headers.cookie ?? null, publicUrl: DOOR_ORIGIN, authSecret: DOOR_SECRET },
    ),
  }),
});
createServer((request, response) => {
  if (request.url === '/ready') response.writeHead(200).end('ready');
  else handler(request, response);
}).listen(Number(port), '127.0.0.1');
