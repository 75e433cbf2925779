import { type Refusal, refuse } from '#domain/refusal.ts';
import { appendAudit } from '#server/audit/append-audit.ts';
import type { Database, Db, Statement } from '#server/db/database.ts';

/** A view of the list of withdrawals that somebody keeps for themselves. */
export interface SavedView {
  readonly viewId: string;
  readonly name: string;
  /** The query string of the list, empty or with its question mark. */
  readonly query: string;
}

const VIEWS_MAX = 20;

/** A person's own views, in the order in which they were kept. */
export async function findSavedViews(deps: { db: Db }, input: { userId: string }): Promise<SavedView[]> {
  return await deps.db.query<SavedView & object>(findViewsSql, [input.userId]);
}

/**
 * Keeps a view under a name of its own; keeping one of that name again replaces what it shows. What it replaced is in the audit, and the
 * same kept again is nothing new.
 */
export async function saveView(
  deps: { db: Database },
  input: SavedView & { userId: string },
): Promise<{ kind: 'saved' } | { kind: 'refused'; refusal: Refusal }> {
  const { viewId, name, query, userId } = input;
  return await deps.db.transaction(async (tx) => {
    await tx.query(lockPersonSql, [userId]);
    const before = (await findSavedViews({ db: tx }, { userId })).find((view) => view.name === name) ?? null;
    if (before?.query === query) return { kind: 'saved' };
    const [saved] = await tx.query<{ id: string }>(saveViewSql, [viewId, userId, name, query, VIEWS_MAX]);
    if (saved !== undefined) {
      const [was, is] = [before && { name, query: before.query }, { name, query }];
      await appendAudit(
        { db: tx },
        { actorId: userId, action: 'view.keep', subject: saved.id, before: was, after: is },
      );
      return { kind: 'saved' };
    }
    return {
      kind: 'refused',
      refusal: refuse('too_many_views', { detail: `Nobody keeps more than ${VIEWS_MAX} views.` }),
    };
  });
}

/** Forgets a view of this person's; one that is gone already is no trouble. */
export async function forgetView(deps: { db: Database }, input: { viewId: string; userId: string }): Promise<void> {
  const { viewId, userId } = input;
  await deps.db.transaction(async (tx) => {
    const [before] = await tx.query<{ name: string; query: string }>(forgetViewSql, [viewId, userId]);
    if (before === undefined) return;
    await appendAudit({ db: tx }, { actorId: userId, action: 'view.forget', subject: viewId, before, after: null });
  });
}

const findViewsSql: Statement = {
  name: 'find_saved_views',
  text: `
    select v.id as "viewId", v.name, v.query from saved_views v where v.user_id = $1 order by v.created_at, v.id`,
};

// Two tabs that keep a view at once are counted one after the other.
const lockPersonSql: Statement = {
  name: 'lock_person_for_view',
  text: 'select u.id from users u where u.id = $1 for no key update',
};

const saveViewSql: Statement = {
  name: 'save_view',
  text: `
    insert into saved_views (id, user_id, name, query)
    select $1, $2, $3, $4
    where (select count(*) from saved_views v where v.user_id = $2 and v.name <> $3) < $5::integer
    on conflict (user_id, name) do update set query = excluded.query
    returning id`,
};

const forgetViewSql: Statement = {
  name: 'forget_view',
  text: 'delete from saved_views v where v.id = $1 and v.user_id = $2 returning v.name, v.query',
};
