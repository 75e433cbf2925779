import type { Database } from './store/custody-database.ts';

type Wire = { wire: unknown };

/** One transfer by our id, in wire form; only what is older than the read lag. */
export async function findTransferById(
  deps: { database: Database },
  input: { id: string; lagMs: number },
): Promise<unknown> {
  const found = await deps.database.query<Wire>({
    name: 'transfer-by-id',
    text: `select transfer_wire(t) as wire from transfer t where id = $1 and created_at <= custody_now() - $2 * interval '1 millisecond'`,
    values: [input.id, input.lagMs],
  });
  return found.rows[0]?.wire ?? null;
}

/** Every transfer under an external id: one, or none, where the profile keeps references; else as many as were made. */
export async function findTransfersByReference(
  deps: { database: Database },
  input: { externalId: string; lagMs: number },
): Promise<unknown[]> {
  const found = await deps.database.query<Wire>({
    name: 'transfers-by-reference',
    text: `select transfer_wire(t) as wire from transfer t
      where external_id = $1 and created_at <= custody_now() - $2 * interval '1 millisecond' order by created_at, id`,
    values: [input.externalId, input.lagMs],
  });
  return found.rows.map((row) => row.wire);
}

/** A page by creation time, `from` included and `to` excluded. The cursor is the last entry's place, never a row number. */
export async function listTransfers(
  deps: { database: Database },
  input: {
    from: string | null;
    to: string | null;
    after: { createdAt: string; id: string } | null;
    limit: number;
    lagMs: number;
  },
): Promise<{ data: unknown[]; next: { createdAt: string; id: string } | null }> {
  const found = await deps.database.query<Wire & { id: string; place: string }>({
    name: 'transfers-by-time',
    text: `select transfer_wire(t) as wire, id, created_at::text as place from transfer t
      where created_at >= coalesce($1::timestamptz, '-infinity') and created_at < coalesce($2::timestamptz, 'infinity')
        and (created_at, id) > (coalesce($3::timestamptz, '-infinity'), coalesce($4::text, ''))
        and created_at <= custody_now() - $6 * interval '1 millisecond'
      order by created_at, id limit $5 + 1`,
    values: [input.from, input.to, input.after?.createdAt ?? null, input.after?.id ?? null, input.limit, input.lagMs],
  });
  const page = found.rows.slice(0, input.limit);
  const last = page.at(-1);
  const next = found.rows.length > input.limit && last !== undefined ? { createdAt: last.place, id: last.id } : null;
  return { data: page.map((row) => row.wire), next };
}

/** The external id of a transfer, so that a fault set for one transfer strikes its look-up by id as well. */
export async function findExternalId(deps: { database: Database }, input: { id: string }): Promise<string | undefined> {
  const found = await deps.database.query<{ external_id: string }>({
    name: 'external-id',
    text: 'select external_id from transfer where id = $1',
    values: [input.id],
  });
  return found.rows[0]?.external_id;
}
