import { z } from 'zod';
import type { CustodySettings } from '../custody-settings.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import { faultOrder } from '../faults/fault-kinds.ts';
import { json, problem } from '../problem.ts';
import { profileNames, profileOverrides } from '../profiles.ts';
import type { RequestJournal } from '../request-journal.ts';
import type { Database } from '../store/custody-database.ts';
import { answered, type Reply } from './reply.ts';
import type { Route, RouteContext } from './route.ts';

const after = z.coerce.number().int().nonnegative().default(0);
const limit = z.coerce.number().int().min(1).max(10_000).default(10_000);

/** The laboratory's switches, for this machine only: faults, profile, clock, and the log that nobody can reset. */
export function controlRoutes(
  deps: { database: Database; settings: CustodySettings; faults: FaultSwitches; requests: RequestJournal },
  input: {
    strikeAtOnce: (order: z.infer<typeof faultOrder>) => Promise<unknown>;
    redeliver: (id: string) => Promise<boolean>;
  },
): Route[] {
  const { settings, faults } = deps;

  async function parsed<T>(
    context: RouteContext,
    schema: z.ZodType<T>,
    act: (value: T) => Promise<Reply>,
  ): Promise<Reply> {
    let value: unknown;
    try {
      value = JSON.parse(await context.readBody());
    } catch {
      return answered(problem(400, 'invalid_request', { detail: 'the body is not JSON' }));
    }
    const result = schema.safeParse(value);
    if (!result.success) return answered(problem(400, 'invalid_request', { detail: z.prettifyError(result.error) }));
    return act(result.data);
  }

  async function readLog({ query }: RouteContext): Promise<Reply> {
    const page = z.object({ after, limit }).safeParse(Object.fromEntries(query));
    if (!page.success) return answered(problem(400, 'invalid_request', { detail: 'after or limit' }));
    const found = await deps.database.query(
      `select seq::int, at, custody_at as "custodyAt", kind, transfer_id as "transferId", external_id as "externalId",
        idempotency_key as "idempotencyKey", network, hash, nonce::int, details
       from transfer_log where seq > $1 order by seq limit $2`,
      [page.data.after, page.data.limit],
    );
    return answered(json(200, { data: found.rows }));
  }

  async function readRequests({ query }: RouteContext): Promise<Reply> {
    const page = z.object({ after, limit }).safeParse(Object.fromEntries(query));
    if (!page.success) return answered(problem(400, 'invalid_request', { detail: 'after or limit' }));
    return answered(json(200, { data: await deps.requests.read(page.data) }));
  }

  const profileOrder = z.object({ profile: z.enum(profileNames), overrides: profileOverrides.default({}) }).strict();
  const nothing = async (): Promise<Reply> => answered(json(200, {}));

  return [
    { method: 'GET', path: '/control/log', access: 'local', handle: readLog },
    { method: 'GET', path: '/control/requests', access: 'local', handle: readRequests },
    {
      method: 'GET',
      path: '/control/faults',
      access: 'local',
      handle: async () => answered(json(200, { data: faults.list() })),
    },
    {
      method: 'POST',
      path: '/control/faults',
      access: 'local',
      handle: (context) =>
        parsed(context, faultOrder, async (order) => {
          const struck = await input.strikeAtOnce(order);
          return answered(json(201, struck ?? (await faults.set(order))));
        }),
    },
    { method: 'DELETE', path: '/control/faults', access: 'local', handle: async () => faults.clear().then(nothing) },
    {
      method: 'DELETE',
      path: '/control/faults/{id}',
      access: 'local',
      handle: async ({ params }) =>
        (await faults.remove(params.id ?? '')) ? nothing() : answered(problem(404, 'not_found')),
    },
    {
      method: 'GET',
      path: '/control/profile',
      access: 'local',
      handle: async () => answered(json(200, settings.profile())),
    },
    {
      method: 'PUT',
      path: '/control/profile',
      access: 'local',
      handle: (context) =>
        parsed(context, profileOrder, async ({ profile, overrides }) => {
          await settings.setProfile(profile, overrides);
          return answered(json(200, settings.profile()));
        }),
    },
    {
      method: 'GET',
      path: '/control/clock',
      access: 'local',
      handle: async () => answered(json(200, { offsetMs: settings.offsetMs(), now: settings.now().toISOString() })),
    },
    {
      method: 'POST',
      path: '/control/clock',
      access: 'local',
      handle: (context) =>
        parsed(context, z.object({ offsetMs: z.number() }).strict(), async ({ offsetMs }) => {
          await settings.setOffsetMs(offsetMs);
          return answered(json(200, { offsetMs, now: settings.now().toISOString() }));
        }),
    },
    {
      method: 'POST',
      path: '/control/webhooks/redeliver',
      access: 'local',
      handle: (context) =>
        parsed(context, z.object({ id: z.string().min(1) }).strict(), async ({ id }) =>
          (await input.redeliver(id)) ? answered(json(202, { id })) : answered(problem(404, 'not_found')),
        ),
    },
  ];
}
