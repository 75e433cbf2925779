import { z } from 'zod';
import {
  assetPlainCapsSchema,
  customerTierTermsSchema,
  deedStepUp,
  networkPlainTermsSchema,
  pairPlainTermsSchema,
  pressedOnce,
  tierTermsSchema,
} from '#server/api/money-schemas.ts';
import { CHANGES_OF_TERMS, DANGEROUS_DEEDS } from '#server/auth/confirm-deed.ts';
import { LAB_OUTAGES } from '#server/operator/fault-lab.ts';
import { letterCursorSchema } from '#server/operator/find-dead-letters.ts';
import { FLOW_SPANS } from '#server/operator/find-flow.ts';
import { RESOLUTION_DEEDS } from '#server/operator/propose-resolution.ts';

const uuid = z.uuid().transform((text) => text.toLowerCase());
const reason = z.string().trim().min(3).max(500);
const counter = z.string().regex(/^[0-9]{1,18}$/);
/** The browser's paging hook sends it along; pages only ever go forward. */
const direction = z.enum(['forward', 'backward']).optional();
const limit = z.int().min(1).max(100).default(50);
const search = z.string().trim().max(200).nullable().default(null);

/** A deed whose form is told from the next one by an id of the page's making, so that pressing twice does it once. */
export const pressSchema = z.strictObject(pressedOnce);

export const flowSchema = z.strictObject({ span: z.enum(FLOW_SPANS).default('hour') });
export const customerListSchema = z.strictObject({
  cursor: z.string().max(320).nullable().default(null),
  direction,
  limit,
  search,
});
export const runListSchema = z.strictObject({ cursor: counter.nullable().default(null), direction, limit });
export const auditListSchema = z.strictObject({ cursor: counter.nullable().default(null), direction, limit, search });
/** Where the chain was read to: a row, and its hash as it was read. */
export const auditPlaceSchema = z.strictObject({
  afterSeq: counter.default('0'),
  afterHash: z
    .string()
    .regex(/^([0-9a-f]{64})?$/)
    .default(''),
});
/** By query string, as a link asks. */
export const auditCsvSchema = z.strictObject({ search });
export const freezeSchema = z.strictObject({ customerId: uuid, frozen: z.boolean(), reason, ...deedStepUp });
export const parkSchema = z.strictObject({ withdrawalId: uuid, reason });
export const resolutionSchema = z.strictObject({
  /** Made by the page, so that pressing twice proposes once. */
  resolutionId: uuid,
  withdrawalId: uuid,
  deed: z.enum(RESOLUTION_DEEDS),
  fence: counter,
  revision: counter,
  reason,
});
export const resolutionIdSchema = z.strictObject({ resolutionId: uuid, ...deedStepUp });
export const takingUpSchema = z.strictObject({
  /** Made by the page, so that pressing twice proposes once. */
  resumptionId: uuid,
  networkId: z.string().min(1).max(40),
  fromNumber: z
    .string()
    .regex(/^[0-9]{1,15}$/)
    .transform(Number),
  reason,
});
export const takingUpIdSchema = z.strictObject({ resumptionId: uuid, ...deedStepUp });
/** A deed that somebody is about to confirm: the row that it is about, or the terms as they will be. */
export const deedSchema = z.union([
  z.strictObject({ deed: z.literal('end_look_up_only'), subject: counter }),
  z.strictObject({ deed: z.literal('set_tier'), terms: tierTermsSchema }),
  z.strictObject({ deed: z.literal('set_customer_tier'), terms: customerTierTermsSchema }),
  z.strictObject({ deed: z.literal('set_pair'), terms: pairPlainTermsSchema }),
  z.strictObject({ deed: z.literal('set_asset'), terms: assetPlainCapsSchema }),
  z.strictObject({ deed: z.literal('set_network'), terms: networkPlainTermsSchema }),
  z.strictObject({
    deed: z.enum(DANGEROUS_DEEDS).exclude(['end_look_up_only', ...CHANGES_OF_TERMS]),
    subject: uuid,
  }),
]);

/** The row that a link names: it comes first, whatever the list shows. */
const named = uuid.nullable().default(null);

export const caseListSchema = z.strictObject({
  cursor: uuid.nullable().default(null),
  direction,
  limit,
  open: z.boolean().default(true),
  named,
});
/** Whoever asks for nothing gets a hundred. */
const longest = z.int().min(1).max(100).default(100);
export const doubtListSchema = z
  .strictObject({ cursor: uuid.nullable().default(null), direction, limit: longest, named })
  .prefault({});
export const letterListSchema = z
  .strictObject({ cursor: letterCursorSchema.nullable().default(null), direction, limit: longest })
  .prefault({});
/** Approvals and adjustments. */
export const waitingListSchema = z
  .strictObject({ cursor: uuid.nullable().default(null), direction, limit: longest })
  .prefault({});
export const caseCloseSchema = z.strictObject({ caseId: uuid, revision: counter, reason, ...pressedOnce });
export const caseIdSchema = z.strictObject({ caseId: uuid, ...deedStepUp });
/** To the byte as custody signed it: nothing is trimmed. */
export const statementSchema = z.strictObject({
  statementId: uuid,
  withdrawalId: uuid,
  body: z.string().min(2).max(4_000),
  signature: z.string().regex(/^[A-Za-z0-9+/]{40,200}={0,2}$/),
});
export const savedViewSchema = z.strictObject({
  viewId: uuid,
  name: z.string().trim().min(1).max(40),
  query: z
    .string()
    .max(500)
    .regex(/^(\?.*)?$/),
});
export const savedViewIdSchema = z.strictObject({ viewId: uuid });
export const retrySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('withdrawal'), id: uuid }),
  z.strictObject({ kind: z.literal('event'), id: z.string().min(1).max(200) }),
]);

export const labFaultSchema = z.strictObject({
  kind: z.string().regex(/^[a-z0-9_]{1,40}$/),
  count: z.int().min(1).max(10_000).nullable().default(null),
  share: z.number().min(0).max(1).nullable().default(null),
});
export const labReorgSchema = z.strictObject({ depth: z.int().min(1).max(20) });
export const labOutageSchema = z.strictObject({ what: z.enum(LAB_OUTAGES), seconds: z.int().min(1).max(60) });
export const labPauseSchema = z.strictObject({ paused: z.boolean() });
export const labTrafficSchema = z.strictObject({
  perSecond: z.int().min(1).max(20),
  duplicatePercent: z.int().min(0).max(100),
  cancelPercent: z.int().min(0).max(100),
});
