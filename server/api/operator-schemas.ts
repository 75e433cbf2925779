import { z } from 'zod';
import { deedStepUp } from '#server/api/money-schemas.ts';
import { DANGEROUS_DEEDS } from '#server/auth/confirm-deed.ts';
import { FLOW_SPANS } from '#server/operator/find-flow.ts';
import { RESOLUTION_DEEDS } from '#server/operator/propose-resolution.ts';

const uuid = z.uuid().transform((text) => text.toLowerCase());
const reason = z.string().trim().min(3).max(500);
const counter = z.string().regex(/^[0-9]{1,18}$/);
/** The browser's paging hook sends it along; pages only ever go forward. */
const direction = z.enum(['forward', 'backward']).optional();
const limit = z.int().min(1).max(100).default(50);
const search = z.string().trim().max(200).nullable().default(null);

export const flowSchema = z.strictObject({ span: z.enum(FLOW_SPANS).default('hour') });
export const customerListSchema = z.strictObject({
  cursor: z.string().max(320).nullable().default(null),
  direction,
  limit,
  search,
});
export const auditListSchema = z.strictObject({ cursor: counter.nullable().default(null), direction, limit, search });
export const freezeSchema = z.strictObject({ customerId: uuid, frozen: z.boolean(), reason });
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
export const deedSchema = z.union([
  z.strictObject({ deed: z.literal('end_look_up_only'), subject: counter }),
  z.strictObject({ deed: z.enum(DANGEROUS_DEEDS).exclude(['end_look_up_only']), subject: uuid }),
]);

export const caseListSchema = z.strictObject({
  cursor: uuid.nullable().default(null),
  direction,
  limit,
  open: z.boolean().default(true),
});
export const caseCloseSchema = z.strictObject({ caseId: uuid, revision: counter, reason });
export const caseIdSchema = z.strictObject({ caseId: uuid, ...deedStepUp });
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
export const labPauseSchema = z.strictObject({ paused: z.boolean() });
export const labTrafficSchema = z.strictObject({
  perSecond: z.int().min(1).max(20),
  duplicatePercent: z.int().min(0).max(100),
  cancelPercent: z.int().min(0).max(100),
});
