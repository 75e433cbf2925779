import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { appendAudit } from '#server/audit/append-audit.ts';
import { ROLES, type Role, toRole } from '#server/auth/roles.ts';
import { createDatabase, type Database, type Statement } from '#server/db/database.ts';

/**
 * Gives an account another role and ends its sessions, which were opened under the old one. The first operator is made so, by
 * whoever may reach the database; nobody becomes one through the product itself. Written into the audit log.
 *
 * @throws Error when nobody has that address, or when they still own coins: staff own none
 */
export async function setRole(deps: { db: Database }, input: { email: string; role: Role }): Promise<{ from: Role }> {
  return await deps.db.transaction(async (tx) => {
    const [person] = await tx.query<{ id: string; role: string; owns: boolean }>(lockPersonSql, [input.email]);
    const from = person === undefined ? null : toRole(person.role);
    if (person === undefined || from === null) throw new Error(`nobody signed up as ${input.email}`);
    if (person.owns && input.role !== 'customer') throw new Error(`${input.email} owns coins, and staff own none`);
    await tx.query(setRoleSql, [person.id, input.role]);
    await tx.query(endSessionsSql, [person.id]);
    const entry = { actorId: person.id, action: 'person.set_role', subject: person.id };
    await appendAudit({ db: tx }, { ...entry, before: { role: from }, after: { role: input.role } });
    return { from };
  });
}

const lockPersonSql: Statement = {
  name: 'lock_person_for_role',
  text: `
    select u.id, u.role,
      exists (select 1 from customer_balances b where b.customer_id = u.id and (b.available_minor <> 0 or b.held_minor <> 0)) as owns
    from users u where u.email = lower($1) for no key update of u`,
};
const setRoleSql: Statement = {
  name: 'set_role',
  text: 'update users set role = $2, updated_at = protocol_now() where id = $1',
};
const endSessionsSql: Statement = { name: 'end_sessions_of_role', text: 'delete from sessions where user_id = $1' };

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [email, name] = process.argv.slice(2);
  const role = toRole(name ?? '');
  if (!email || role === null) throw new Error(`give an e-mail address and one of ${ROLES.join(', ')}`);
  if (!process.env.DATABASE_URL) throw new Error('DATABASE_URL is missing');
  const db = createDatabase({ url: process.env.DATABASE_URL, max: 1, applicationName: 'cryptoex-set-role' });
  try {
    const { from } = await setRole({ db }, { email, role });
    console.log(`${email}: ${from} before, ${role} now`);
  } finally {
    await db.close();
  }
}
