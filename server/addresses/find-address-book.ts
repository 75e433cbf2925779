import type { Db, Statement } from '#server/db/database.ts';

export interface AddressEntry {
  addressId: string;
  label: string;
  network: string;
  address: string;
  memo: string | null;
  addedAt: string;
  /** The first instant at which it may be paid to. */
  usableFrom: string;
  usable: boolean;
}

export interface AddressBook {
  entries: AddressEntry[];
  /** Only addresses of the book may be paid, now. */
  allowListOn: boolean;
  /** When it goes off; null where nobody asked for that. */
  allowListOffAt: string | null;
  /** Withdrawals rest until then, after a change of password or second factor; null where they do not. */
  frozenUntil: string | null;
}

/** A customer's destinations, newest first, and what protects them. */
export async function findAddressBook(deps: { db: Db }, input: { customerId: string }): Promise<AddressBook> {
  const [entries, [settings]] = await Promise.all([
    deps.db.query<EntryRow>(findEntriesSql, [input.customerId]),
    deps.db.query<SettingsRow>(findProtectionSql, [input.customerId]),
  ]);
  return {
    entries: entries.map((row) => ({
      addressId: row.id,
      label: row.label,
      network: row.network_id,
      address: row.address,
      memo: row.memo,
      addedAt: row.added_at.toISOString(),
      usableFrom: row.usable_from.toISOString(),
      usable: row.usable,
    })),
    allowListOn: settings?.allow_list ?? false,
    allowListOffAt: settings?.allow_list_off_at?.toISOString() ?? null,
    frozenUntil: settings?.frozen_until?.toISOString() ?? null,
  };
}

interface EntryRow {
  readonly id: string;
  readonly label: string;
  readonly network_id: string;
  readonly address: string;
  readonly memo: string | null;
  readonly added_at: Date;
  readonly usable_from: Date;
  readonly usable: boolean;
}

interface SettingsRow {
  readonly allow_list: boolean;
  readonly allow_list_off_at: Date | null;
  readonly frozen_until: Date | null;
}

const findEntriesSql: Statement = {
  name: 'find_address_book',
  text: `
    select id, label, network_id, address, memo, added_at, usable_from, usable_from <= protocol_now() as usable
    from address_book where customer_id = $1 and removed_at is null order by added_at desc, id`,
};

const findProtectionSql: Statement = {
  name: 'find_address_protection',
  text: `
    select allow_list and coalesce(allow_list_off_at > protocol_now(), true) as allow_list,
      case when allow_list and allow_list_off_at > protocol_now() then allow_list_off_at end as allow_list_off_at,
      case when frozen_until > protocol_now() then frozen_until end as frozen_until
    from customers where id = $1`,
};
