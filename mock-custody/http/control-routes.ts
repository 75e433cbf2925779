import { z } from 'zod';
import type { CustodySettings } from '../custody-settings.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import { type Fault, type FaultOrder, faultOrder, faultPoints } from '../faults/fault-kinds.ts';
import { json, problem } from '../problem.ts';
import { profileNames, profileOverrides } from '../profiles.ts';
import type { RequestJournal } from '../request-journal.ts';
import type { Database } from '../store/custody-database.ts';
import { parseJsonBody } from './json-body.ts';
import { answered, type Reply } from './reply.ts';
import type { Route, RouteContext } from './route.ts';

const page = z.object({
  after: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(10_000).default(10_000),
});
const profileOrder = z.object({ profile: z.enum(profileNames), overrides: profileOverrides.default({}) }).strict();
const clockOrder = z.object({ offsetMs: z.number() }).strict();

/** The laboratory's switches, for this machine only: faults, profile, clock, and the log that nobody can reset. */
export function controlRoutes(
  deps: { database: Database; settings: CustodySettings; faults: FaultSwitches; requests: RequestJournal },
  input: { strikeAtOnce: (order: FaultOrder) => Promise<Fault | null> },
): Route[] {
  const { settings, faults } = deps;

  async function readLog({ query }: RouteContext): Promise<Reply> {
    const asked = page.safeParse(Object.fromEntries(query));
    if (!asked.success) return answered(problem(400, 'invalid_request', { detail: 'after or limit' }));
    const found = await deps.database.query(
      `select seq::int, at, custody_at as "custodyAt", kind, transfer_id as "transferId", external_id as "externalId",
        idempotency_key as "idempotencyKey", network, hash, nonce::int, details
       from transfer_log where seq > $1 order by seq limit $2`,
      [asked.data.after, asked.data.limit],
    );
    return answered(json(200, { data: found.rows }));
  }

  async function readRequests({ query }: RouteContext): Promise<Reply> {
    const asked = page.safeParse(Object.fromEntries(query));
    if (!asked.success) return answered(problem(400, 'invalid_request', { detail: 'after or limit' }));
    return answered(json(200, { data: await deps.requests.read(asked.data) }));
  }

  const setFault = (context: RouteContext): Promise<Reply> =>
    parseJsonBody(context, faultOrder, async (order) => {
      const struck = await input.strikeAtOnce(order);
      return answered(json(201, struck ?? (await faults.set(order))));
    });

  const setProfile = (context: RouteContext): Promise<Reply> =>
    parseJsonBody(context, profileOrder, async ({ profile, overrides }) => {
      await settings.setProfile(profile, overrides);
      return showProfile();
    });

  const setClock = (context: RouteContext): Promise<Reply> =>
    parseJsonBody(context, clockOrder, async ({ offsetMs }) => {
      await settings.setOffsetMs(offsetMs);
      return showClock();
    });

  const showProfile = (): Promise<Reply> => now(json(200, settings.profile()));
  const showClock = (): Promise<Reply> =>
    now(json(200, { offsetMs: settings.offsetMs(), now: settings.now().toISOString(), closed: settings.isClosed() }));

  async function clearFaults(): Promise<Reply> {
    await faults.clear();
    return answered(json(200, {}));
  }

  async function removeFault({ params }: RouteContext): Promise<Reply> {
    const removed = await faults.remove(params.id ?? '');
    return answered(removed ? json(200, {}) : problem(404, 'not_found'));
  }

  return [
    {
      method: 'GET',
      path: '/control/log',
      access: 'local',
      doc: {
        summary: 'The append-only log of every transfer, in the order of commits',
        query: ['after', 'limit'],
        answers: { 200: { description: 'Entries with a number above `after`', schema: 'LogPage' } },
        problems: { 400: 'invalid_request' },
      },
      handle: readLog,
    },
    {
      method: 'GET',
      path: '/control/requests',
      access: 'local',
      doc: {
        summary: 'Every create request that reached us, and how it ended',
        query: ['after', 'limit'],
        answers: { 200: { description: 'Requests with a number above `after`' } },
        problems: { 400: 'invalid_request' },
      },
      handle: readRequests,
    },
    {
      method: 'GET',
      path: '/control/faults',
      access: 'local',
      doc: {
        summary: 'The faults that are set, and every kind there is',
        answers: { 200: { description: 'Faults in the order they were set' } },
      },
      handle: () => now(json(200, { data: faults.list(), kinds: faultPoints })),
    },
    {
      method: 'POST',
      path: '/control/faults',
      access: 'local',
      doc: {
        summary: 'Sets a fault for a count, a share, a time or one external id',
        body: faultOrder,
        answers: { 201: { description: 'The fault' } },
        problems: { 400: 'invalid_request' },
      },
      handle: setFault,
    },
    {
      method: 'DELETE',
      path: '/control/faults',
      access: 'local',
      doc: { summary: 'Takes all faults away', answers: { 200: { description: 'Done' } } },
      handle: clearFaults,
    },
    {
      method: 'DELETE',
      path: '/control/faults/{id}',
      access: 'local',
      doc: {
        summary: 'Takes one fault away',
        answers: { 200: { description: 'Done' } },
        problems: { 404: 'not_found' },
      },
      handle: removeFault,
    },
    {
      method: 'GET',
      path: '/control/profile',
      access: 'local',
      doc: {
        summary: 'The profile in force, its overrides and the rules that follow',
        answers: { 200: { description: 'The profile' } },
      },
      handle: showProfile,
    },
    {
      method: 'PUT',
      path: '/control/profile',
      access: 'local',
      doc: {
        summary: 'Becomes another kind of provider',
        body: profileOrder,
        answers: { 200: { description: 'The profile' } },
        problems: { 400: 'invalid_request' },
      },
      handle: setProfile,
    },
    {
      method: 'GET',
      path: '/control/clock',
      access: 'local',
      doc: {
        summary: 'Our clock, its offset, and whether we are closed',
        answers: { 200: { description: 'The clock' } },
      },
      handle: showClock,
    },
    {
      method: 'POST',
      path: '/control/clock',
      access: 'local',
      doc: {
        summary: 'Moves our clock; the Date header moves with it',
        body: clockOrder,
        answers: { 200: { description: 'The clock' } },
        problems: { 400: 'invalid_request' },
      },
      handle: setClock,
    },
  ];
}

function now(answer: ReturnType<typeof json>): Promise<Reply> {
  return Promise.resolve(answered(answer));
}
