import { invariant } from '#domain/invariant.ts';

declare const brand: unique symbol;

/** Our name for a withdrawal, a UUIDv7 made by the server on acceptance. Never the provider's name for it. */
export type WithdrawalId = string & { readonly [brand]: 'WithdrawalId' };

/** The person who owns the money. */
export type CustomerId = string & { readonly [brand]: 'CustomerId' };

/** The UUID of the click: unique over all customers, for ever, and the provider's external reference as well. */
export type IdempotencyKey = string & { readonly [brand]: 'IdempotencyKey' };

export const WITHDRAWAL_STATUSES = [
  'awaiting_approval',
  'queued',
  'dispatching',
  'in_doubt',
  'submitted',
  'broadcast',
  'completed',
  'failed',
  'cancelled',
  'rejected',
  'refused',
] as const;

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

const TERMINAL_STATUSES: ReadonlySet<WithdrawalStatus> = new Set([
  'completed',
  'failed',
  'cancelled',
  'rejected',
  'refused',
]);

/** Whether the status is an end: nothing follows it, and a contrary fact opens a case instead. */
export function isTerminal(status: WithdrawalStatus): boolean {
  return TERMINAL_STATUSES.has(status);
}

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text is written as a UUID in lower case, of whatever version. */
export function isUuidText(text: string): boolean {
  return UUID_SHAPE.test(text);
}

/** Names a text that came from our own rows or generator. @throws Error when it is no lower-case UUID */
export function toWithdrawalId(text: string): WithdrawalId {
  invariant(isUuidText(text), 'a withdrawal id is a lower-case UUID');
  return text as WithdrawalId;
}

/** Names a customer by the id the accounts give. @throws Error when it is empty */
export function toCustomerId(text: string): CustomerId {
  invariant(text.length > 0, 'a customer id is not empty');
  return text as CustomerId;
}

/**
 * Names a key that was parsed before, as our own rows hold it. Text from outside goes through `parseIdempotencyKey`.
 *
 * @throws Error when it is no lower-case UUID
 */
export function toIdempotencyKey(text: string): IdempotencyKey {
  invariant(isUuidText(text), 'an idempotency key is a lower-case UUID');
  return text as IdempotencyKey;
}
