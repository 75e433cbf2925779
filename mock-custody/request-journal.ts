import type { Database } from './store/custody-database.ts';

export type SeenRequest = {
  requestId: string;
  idempotencyKey: string | null;
  externalId: string | null;
  bodyHash: string | null;
  outcome: string;
  status: number | null;
};

export type RequestJournal = {
  /** Notes a create request and how it ended. Returns at once; nothing waits for it. */
  note(request: SeenRequest): void;
  read(input: { after: number; limit: number }): Promise<unknown[]>;
  flush(): Promise<void>;
};

/** Every create request that reached us, written behind the answers: it counts traffic, the transfer log counts money. */
export function createRequestJournal(deps: { database: Database }): RequestJournal {
  let waiting: (SeenRequest & { at: string })[] = [];
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await deps.database
        .query({
          name: 'note-requests',
          text: `insert into http_request (at, request_id, idempotency_key, external_id, body_hash, outcome, status)
            select at::timestamptz, "requestId", "idempotencyKey", "externalId", "bodyHash", outcome, status
            from jsonb_to_recordset($1) as r(at text, "requestId" text, "idempotencyKey" text, "externalId" text, "bodyHash" text, outcome text, status integer)`,
          values: [JSON.stringify(batch)],
        })
        .catch(() => undefined); // Traffic notes are worth no outage.
    }
  }

  async function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = null;
    });
    await writing;
  }

  return {
    flush,
    note(request) {
      waiting.push({ ...request, at: new Date().toISOString() });
      void flush();
    },
    async read({ after, limit }) {
      await flush();
      const found = await deps.database.query(
        `select seq::int, at, request_id as "requestId", idempotency_key as "idempotencyKey", external_id as "externalId",
          body_hash as "bodyHash", outcome, status from http_request where seq > $1 order by seq limit $2`,
        [after, limit],
      );
      return found.rows;
    },
  };
}
