import { json } from '../problem.ts';
import type { Database } from '../store/custody-database.ts';
import { openApiDocument } from './openapi-document.ts';
import { answered, type Reply } from './reply.ts';
import type { Route } from './route.ts';

/** What anybody may ask: whether we are ready, and how we are spoken to. */
export function openRoutes(deps: { database: Database }, input: { isReady: () => boolean }): Route[] {
  async function ready(): Promise<Reply> {
    const reached = await deps.database.query('select 1').then(
      () => true,
      () => false,
    );
    const isReady = reached && input.isReady();
    return answered(json(isReady ? 200 : 503, { ready: isReady }));
  }

  return [
    { method: 'GET', path: '/health/ready', access: 'open', handle: ready },
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'open',
      handle: () => Promise.resolve(answered(json(200, openApiDocument))),
    },
  ];
}
