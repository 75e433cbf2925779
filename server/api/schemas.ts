import { z } from 'zod';
import { WITHDRAWAL_STATUSES } from '#domain/withdrawal.ts';
import { FEE_MODES } from '#domain/withdrawal-fee.ts';
import { stepUpSchema } from '#server/auth/step-up-schema.ts';

/** Texts are bounded here so that nothing long is read digit by digit further in. */
const shortText = z.string().max(200);
const uuid = z.uuid().transform((text) => text.toLowerCase());

export const withdrawalIdSchema = z.strictObject({ withdrawalId: uuid });
export const idempotencyKeySchema = z.strictObject({ idempotencyKey: shortText });
export const pairSchema = z.strictObject({ asset: shortText, network: shortText });

/** What a request for a withdrawal may hold. Amounts are text: a number has lost its digits before we see it. */
export const withdrawalRequestSchema = z.strictObject({
  asset: shortText,
  network: shortText,
  address: shortText,
  memo: shortText.nullable().optional(),
  amount: shortText,
  feeMode: z.enum(FEE_MODES).default('on_top'),
  quotedFee: shortText.nullable().default(null),
  lookAlikeOf: uuid.nullable().default(null),
  clickedAt: z.int().min(0).max(8_640_000_000_000_000).nullable().default(null),
  /** A code or a signature, where the request needs one. No part of what it means. */
  stepUp: stepUpSchema.nullable().default(null),
  /** For clients that cannot set a header; must equal the header where both are given. */
  idempotencyKey: shortText.optional(),
});

/** The browser's paging hook sends it along; pages only ever go forward. */
const direction = z.enum(['forward', 'backward']).optional();
const pageSize = z.int().min(1).max(100);
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const statuses = z.array(z.enum(WITHDRAWAL_STATUSES)).max(WITHDRAWAL_STATUSES.length);

export const withdrawalListSchema = z.strictObject({
  cursor: uuid.nullable().default(null),
  direction,
  limit: pageSize.default(20),
  status: z
    .union([z.enum(WITHDRAWAL_STATUSES).transform((status) => [status]), statuses])
    .nullable()
    .default(null),
  asset: shortText.nullable().default(null),
  network: shortText.nullable().default(null),
  from: instant.nullable().default(null),
  until: instant.nullable().default(null),
  search: shortText.nullable().default(null),
});

export const operatorListSchema = z.strictObject({
  cursor: uuid.nullable().default(null),
  direction,
  limit: pageSize.default(50),
  status: statuses.nullable().default(null),
  search: shortText.nullable().default(null),
  sort: z.enum(['worst_first', 'newest']).default('newest'),
  failedSince: instant.nullable().default(null),
  stuck: z.boolean().default(false),
});

/** The same filters as a link asks them, in a query string. */
export const operatorCsvSchema = z.strictObject({
  status: z.enum(WITHDRAWAL_STATUSES).nullable().default(null),
  search: shortText
    .transform((text) => text.trim() || null)
    .nullable()
    .default(null),
  sort: z.enum(['worst_first', 'newest']).default('worst_first'),
  failedSince: instant.nullable().default(null),
  stuck: z
    .literal('1')
    .transform(() => true)
    .default(false),
});
