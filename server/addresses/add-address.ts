import { randomUUID } from 'node:crypto';
import { parseAddress } from '#domain/address.ts';
import type { NetworkFamily } from '#domain/asset.ts';
import { parseMemo } from '#domain/memo.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { type AddressEntry, findAddressBook } from '#server/addresses/find-address-book.ts';
import type { Db, Statement } from '#server/db/database.ts';
import type { CatalogueCache } from '#server/withdrawals/catalogue-cache.ts';

/**
 * Puts a destination into the customer's book, in canonical form. It can be used after a hold whose end the database sets;
 * a notice tells its owner. Adding what is there gives the entry that is there, with its hold as it was.
 */
export async function addAddress(
  deps: { db: Db; catalogue: CatalogueCache },
  input: { customerId: string; network: string; address: string; memo: string | null; label: string },
): Promise<{ kind: 'added'; entry: AddressEntry } | { kind: 'refused'; refusal: Refusal }> {
  const { pairs } = await deps.catalogue.read();
  const ofNetwork = pairs.filter((pair) => pair.networkId === input.network);
  const [pair] = ofNetwork;
  if (pair === undefined) return refused(refuse('network_unknown', { fields: ['network'] }));
  const parsed = parseAddress(pair.family, input.address);
  if (parsed.kind === 'refused') return refused(refuse(parsed.code, { fields: ['address'], detail: parsed.detail }));
  const { canonical, embeddedMemo } = parsed.address;
  const isContract = ofNetwork.some((one) => one.contract?.toLowerCase() === canonical.toLowerCase());
  if (isContract) return refused(refuse('address_token_contract', { fields: ['address'] }));
  const memo = readMemo({ family: pair.family, rule: pair.memoRule, memo: input.memo, embeddedMemo });
  if (memo.kind === 'refused') return memo;
  const [own] = await deps.db.query(findOwnAddressSql, [input.network, canonical]);
  if (own !== undefined) return refused(refuse('address_own_deposit', { fields: ['address'] }));
  const values = [randomUUID(), input.customerId, input.network, canonical, memo.memo, input.label];
  await deps.db.query(insertAddressSql, values);
  const { entries } = await findAddressBook(deps, { customerId: input.customerId });
  const entry = entries.find(
    (one) => one.network === input.network && one.address === canonical && one.memo === memo.memo,
  );
  if (entry === undefined) return refused(refuse('changed_meanwhile'));
  return { kind: 'added', entry };
}

function readMemo(input: {
  family: NetworkFamily;
  rule: Parameters<typeof parseMemo>[0]['rule'];
  memo: string | null;
  embeddedMemo: string | null;
}) {
  const { memo, embeddedMemo } = input;
  return parseMemo({ ...input, noMemoNeeded: memo === null && embeddedMemo === null });
}

function refused(refusal: Refusal): { kind: 'refused'; refusal: Refusal } {
  return { kind: 'refused', refusal };
}

const findOwnAddressSql: Statement = {
  name: 'find_own_address',
  text: 'select 1 from own_addresses where network_id = $1 and address = $2',
};

const insertAddressSql: Statement = {
  name: 'insert_address',
  text: `
    insert into address_book (id, customer_id, network_id, address, memo, label) values ($1, $2, $3, $4, $5, $6)
    on conflict do nothing`,
};
