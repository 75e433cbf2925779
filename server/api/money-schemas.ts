import { z } from 'zod';
import { MEMO_RULES } from '#domain/asset.ts';
import { stepUpSchema } from '#server/auth/step-up-schema.ts';
import { SWITCH_SCOPES } from '#server/switches/pause-payouts.ts';

const shortText = z.string().max(200);
const reason = z.string().trim().min(3).max(500);
const uuid = z.uuid().transform((text) => text.toLowerCase());
/** Amounts stay text until their asset's decimals are known. */
const amount = z.string().min(1).max(130);

/** The code or signature that confirms a deed. It may be missing: then the deed is refused, and says so. */
export const deedStepUp = { stepUp: stepUpSchema.nullable().default(null) };

/** The id of the form on which it was pressed, made by the page: pressed again on the same one it is done once. */
export const pressedOnce = { deedId: uuid };

export const approvalSchema = z.strictObject({
  ...deedStepUp,
  withdrawalId: uuid,
  payloadSha256: z.string().regex(/^[0-9a-f]{64}$/),
  revision: z.string().regex(/^[0-9]{1,18}$/),
  reason: reason.default('reviewed'),
});

export const pauseSchema = z.strictObject({
  scope: z.enum(SWITCH_SCOPES),
  target: shortText.default(''),
  reason,
  // A stop asks for nothing that could be missing: without it a press is simply a press.
  deedId: uuid.nullable().default(null),
});
export const switchIdSchema = z.strictObject({ switchId: uuid, ...pressedOnce });
export const confirmResumeSchema = z.strictObject({ switchId: uuid, ...deedStepUp });

export const newAddressSchema = z.strictObject({
  network: shortText,
  address: shortText,
  memo: shortText.nullable().default(null),
  label: z.string().trim().min(1).max(60),
});
/** In canonical form: the page has parsed it. */
export const evmAddressSchema = z.strictObject({ address: z.string().regex(/^0x[0-9a-f]{40}$/) });
export const addressIdSchema = z.strictObject({ addressId: uuid });
export const allowListSchema = z.strictObject({ on: z.boolean() });

const account = z.strictObject({ kind: shortText, customerId: uuid.nullable().default(null) });
export const adjustmentSchema = z.strictObject({
  /** Made by the page, so that pressing twice proposes once. */
  adjustmentId: uuid,
  asset: shortText,
  debit: account,
  credit: account,
  amount,
  reason,
});
export const adjustmentIdSchema = z.strictObject({ adjustmentId: uuid, ...deedStepUp });

export const tierTermsSchema = z.strictObject({
  tierId: shortText,
  autoLimit24h: amount,
  autoLimit30d: amount,
  secondApproval: amount,
  hardLimit24h: amount.nullable(),
  newAddressAuto: amount.nullable(),
  velocityMax: z.int().min(0).max(1_000_000_000),
});
export const tierSchema = tierTermsSchema.extend(deedStepUp);
export const customerTierTermsSchema = z.strictObject({
  customerId: uuid,
  tierId: shortText,
  reviewAll: z.boolean().default(false),
});
export const customerTierSchema = customerTierTermsSchema.extend(deedStepUp);
/** The id is made by the page, so that pressing twice proposes once. */
export const priceSchema = z.strictObject({ proposalId: uuid, asset: shortText, price: amount });
export const priceIdSchema = z.strictObject({ proposalId: uuid, ...deedStepUp });
export const pairPlainTermsSchema = z.strictObject({
  asset: shortText,
  network: shortText,
  minimum: amount,
  fee: amount,
  enabled: z.boolean(),
  /** Left out, it stays as it is. */
  memoRule: z.enum(MEMO_RULES).nullable().default(null),
  reviewAll: z.boolean().nullable().default(null),
});
export const pairTermsSchema = pairPlainTermsSchema.extend(deedStepUp);
export const networkPlainTermsSchema = z.strictObject({
  network: shortText,
  confirmationsRequired: z.int().min(1).max(10_000),
  /** Opened in a browser: nothing but a web address, and the hash in it once. */
  explorerTransactionTemplate: shortText.regex(/^https:\/\/[^\s{}]+\{hash\}[^\s{}]*$/),
});
export const networkTermsSchema = networkPlainTermsSchema.extend(deedStepUp);
export const assetPlainCapsSchema = z.strictObject({
  asset: shortText,
  cap24h: amount.nullable(),
  atRiskMax: amount.nullable(),
});
export const assetCapsSchema = assetPlainCapsSchema.extend(deedStepUp);
export const newPairSchema = z.strictObject({
  asset: z.string().regex(/^[A-Z0-9]{2,12}$/),
  name: z.string().trim().min(1).max(60),
  decimals: z.int().min(0).max(36),
  network: shortText,
  contract: shortText.nullable().default(null),
  minimum: amount,
  fee: amount,
  memoRule: z.enum(MEMO_RULES),
});
