import { setTimeout as delay } from 'node:timers/promises';
import type { NetworkName } from '../asset-table.ts';
import type { CreateDoor } from '../create-door.ts';
import { createBody, hashBody, parseCreateRequest } from '../create-request.ts';
import type { CreateOutcome } from '../create-transfer.ts';
import type { CustodySettings } from '../custody-settings.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import { createWithFault } from '../faults/create-with-fault.ts';
import { problem } from '../problem.ts';
import type { RequestJournal } from '../request-journal.ts';
import { answered, type Reply } from './reply.ts';
import type { Route, RouteContext, RouteDoc } from './route.ts';

const doc: RouteDoc = {
  summary: 'Pay once',
  headers: ['Idempotency-Key'],
  body: createBody,
  answers: {
    201: { description: 'Created: this key and this external id are taken', schema: 'Transfer' },
    200: { description: 'The first answer again, with Idempotent-Replayed: true', schema: 'Transfer' },
  },
  problems: {
    400: 'invalid_request, duplicate_reference (by profile)',
    403: 'forbidden',
    409: 'duplicate_reference, in_progress (Retry-After)',
    410: 'expired: past the not-after; no trace is left under key or reference',
    422: 'idempotency_key_reused, reference_closed, insufficient_hot_wallet_funds, address_rejected, asset_not_supported, amount_too_small',
    429: 'rate_limited (Retry-After); nothing was made',
    500: 'internal_error: unknown whether anything was made',
    502: 'a gateway before us gave up; unknown whether anything was made',
    504: 'a gateway before us gave up; unknown whether anything was made',
  },
};

/** POST /v1/transfers: parse, meet the faults that are set, create, answer; wake the engine for what was created. */
export function createTransferRoute(
  deps: {
    door: CreateDoor;
    faults: FaultSwitches;
    settings: CustodySettings;
    requests: RequestJournal;
    log: (event: string, fields: object) => void;
  },
  input: { onCreated: (network: NetworkName) => void },
): Route {
  const running = new Set<string>();

  async function handle(context: RouteContext): Promise<Reply> {
    const raw = await context.readBody();
    const key = context.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    const parsed = parseCreateRequest({ idempotencyKey, raw });
    const externalId = parsed.kind === 'request' ? parsed.request.externalId : undefined;
    const edge = await deps.faults.take('edge', { externalId });
    if (edge !== undefined) repeatLater(context, parsed, raw, edge.times, edge.delayMs);
    return serve(context, parsed, raw);
  }

  async function serve(
    context: RouteContext,
    parsed: ReturnType<typeof parseCreateRequest>,
    raw: string,
  ): Promise<Reply> {
    const seen = { requestId: context.requestId, bodyHash: hashBody(raw) };
    if (parsed.kind === 'invalid') {
      deps.requests.note({ ...seen, idempotencyKey: null, externalId: null, outcome: 'invalid', status: 400 });
      return answered(problem(400, 'invalid_request', { detail: parsed.detail }));
    }
    const { request } = parsed;
    const names = { ...seen, idempotencyKey: request.idempotencyKey, externalId: request.externalId };
    if (deps.settings.isClosed()) {
      deps.requests.note({ ...names, outcome: 'maintenance', status: 503 });
      return answered(problem(503, 'maintenance', {}, { 'retry-after': '1' }));
    }
    if (running.has(request.idempotencyKey)) {
      deps.requests.note({ ...names, outcome: 'in_progress', status: 409 });
      return answered(problem(409, 'in_progress', { externalId: request.externalId }, { 'retry-after': '1' }));
    }
    const fault = await deps.faults.take('create', { externalId: request.externalId });

    async function execute(forced: { refusal?: string; shortOfFunds?: boolean } = {}): Promise<CreateOutcome> {
      running.add(request.idempotencyKey);
      try {
        const outcome = await deps.door.create({
          request,
          refusal: forced.refusal ?? null,
          shortOfFunds: forced.shortOfFunds ?? false,
        });
        deps.requests.note({ ...names, outcome: outcome.outcome, status: outcome.answer.status });
        if (outcome.created !== null) input.onCreated(outcome.created.asset.network);
        return outcome;
      } finally {
        running.delete(request.idempotencyKey);
      }
    }

    if (fault === undefined) return answered((await execute()).answer);
    return createWithFault(
      {
        execute,
        door: deps.door,
        clientGone: context.clientGone,
        log: deps.log,
        note: (outcome, status) => deps.requests.note({ ...names, outcome, status }),
      },
      { fault, request, burnsKey: deps.settings.profile().rules.burnsKeyAfterError },
    );
  }

  /** A proxy at our edge that sends the same bytes again; nobody waits for those answers. */
  function repeatLater(
    context: RouteContext,
    parsed: ReturnType<typeof parseCreateRequest>,
    raw: string,
    times: number,
    delayMs: number,
  ): void {
    for (let copy = 1; copy <= times; copy += 1)
      void delay(delayMs * copy)
        .then(() => serve({ ...context, requestId: `${context.requestId}-copy-${copy}` }, parsed, raw))
        .catch((cause: unknown) => deps.log('edge_copy.failed', { error: String(cause) }));
  }

  return { method: 'POST', path: '/v1/transfers', access: 'keyed', doc, handle };
}
