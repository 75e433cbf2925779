import { z } from 'zod';
import type { CustodySettings } from '../custody-settings.ts';
import { json, problem } from '../problem.ts';
import { signStatement } from '../sign-statement.ts';
import type { StatementKey } from '../statement-key.ts';
import type { Database } from '../store/custody-database.ts';
import { parseJsonBody } from './json-body.ts';
import { answered, type Reply } from './reply.ts';
import type { Route, RouteContext } from './route.ts';

const statementOrder = z.object({ externalId: z.string().min(1).max(128) }).strict();

/** POST /v1/statements: our word, signed, that under an external id nothing was made and nothing will be. */
export function statementRoute(deps: { database: Database; settings: CustodySettings; key: StatementKey }): Route {
  async function handle(context: RouteContext): Promise<Reply> {
    if (deps.settings.isClosed()) return answered(problem(503, 'maintenance', {}, { 'retry-after': '1' }));
    return await parseJsonBody(context, statementOrder, async ({ externalId }) => {
      const said = await signStatement(deps, { externalId });
      if (said.kind === 'exists') {
        return answered(problem(409, 'duplicate_reference', { externalId, transferId: said.transferId }));
      }
      const { body, signature, publicKey } = said;
      return answered(json(201, { body, signature, publicKey }));
    });
  }

  return {
    method: 'POST',
    path: '/v1/statements',
    access: 'keyed',
    doc: {
      summary: 'Closes an external id for ever, and signs that nothing was made under it and nothing will be',
      body: statementOrder,
      answers: { 201: { description: 'The statement', schema: 'Statement' } },
      problems: { 400: 'invalid_request', 409: 'duplicate_reference: there is a transfer', 503: 'maintenance' },
    },
    handle,
  };
}
