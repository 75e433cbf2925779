import { json } from '../problem.ts';
import type { Database } from '../store/custody-database.ts';
import { openApiDocument } from './openapi-document.ts';
import { answered, type Reply } from './reply.ts';
import type { Route } from './route.ts';

/** What anybody may ask: whether we are ready, and how we are spoken to. */
export function openRoutes(
  deps: { database: Database },
  input: { isReady: () => boolean; others: readonly Route[] },
): Route[] {
  async function ready(): Promise<Reply> {
    const reached = await deps.database.query('select 1').then(
      () => true,
      () => false,
    );
    const isReady = reached && input.isReady();
    return answered(json(isReady ? 200 : 503, { ready: isReady }));
  }

  const routes: Route[] = [
    {
      method: 'GET',
      path: '/health/ready',
      access: 'open',
      doc: {
        summary: 'Whether the database and every network were reached',
        answers: { 200: { description: 'Ready' } },
        problems: { 503: 'not ready' },
      },
      handle: ready,
    },
    {
      method: 'GET',
      path: '/openapi.json',
      access: 'open',
      doc: { summary: 'This document', answers: { 200: { description: 'OpenAPI 3.1' } } },
      handle: () => Promise.resolve(answered(json(200, document))),
    },
  ];
  const document = openApiDocument([...input.others, ...routes]);
  return routes;
}
