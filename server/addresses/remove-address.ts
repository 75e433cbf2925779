import type { Db, Statement } from '#server/db/database.ts';

/** Takes an entry out of its owner's book, at once. Added again, it waits again. */
export async function removeAddress(
  deps: { db: Db },
  input: { customerId: string; addressId: string },
): Promise<{ kind: 'removed' | 'absent' }> {
  const [row] = await deps.db.query(removeAddressSql, [input.addressId, input.customerId]);
  return { kind: row === undefined ? 'absent' : 'removed' };
}

const removeAddressSql: Statement = {
  name: 'remove_address',
  text: `
    update address_book set removed_at = protocol_now()
    where id = $1 and customer_id = $2 and removed_at is null returning id`,
};
