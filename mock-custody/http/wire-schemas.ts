import { z } from 'zod';

const transaction = z.object({
  hash: z.string(),
  nonce: z.number().int().meta({ description: 'Its number in the hot wallet; a replacement has the same' }),
  status: z.enum(['signed', 'broadcast', 'confirmed', 'replaced', 'failed']),
  signedAt: z.iso.datetime(),
});

const transfer = z.object({
  id: z.string(),
  externalId: z.string(),
  asset: z.string(),
  network: z.string(),
  address: z.string(),
  memo: z.string().nullable(),
  amount: z.string(),
  status: z.enum(['accepted', 'signed', 'broadcast', 'confirmed', 'failed', 'refused']),
  failureCode: z.string().nullable(),
  final: z.boolean(),
  transactions: z.array(transaction),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

/** The shapes of our answers, for the OpenAPI document and the tests that hold us to it. */
export const wireSchemas = {
  Transfer: transfer,
  TransferPage: z.object({ data: z.array(transfer), nextCursor: z.string().nullable().optional() }),
  Balances: z.object({
    data: z.array(
      z.object({ asset: z.string(), network: z.string(), address: z.string().nullable(), available: z.string() }),
    ),
  }),
  Capabilities: z.object({
    profile: z.string(),
    referenceKept: z.boolean(),
    searchableByReference: z.boolean(),
    notAfterHonoured: z.boolean(),
    refusalsKept: z.boolean(),
    duplicateCheckFirst: z.boolean(),
    requestsNeverRepeated: z.boolean(),
    keyWindowSeconds: z.number(),
    readLagMs: z.number(),
    maxRequestMs: z.number(),
  }),
  Statement: z.object({
    body: z.string().meta({ description: 'What was signed, to the byte' }),
    signature: z.string().meta({ description: 'Ed25519 over the bytes of the body, base64' }),
    publicKey: z.string().meta({ description: 'SPKI, base64' }),
  }),
  Problem: z.object({
    type: z.string(),
    title: z.string(),
    status: z.number(),
    code: z.string(),
    detail: z.string(),
    externalId: z.string().optional(),
    transferId: z.string().nullable().optional(),
  }),
  LogPage: z.object({
    data: z.array(
      z.object({
        seq: z.number(),
        at: z.iso.datetime(),
        custodyAt: z.iso.datetime(),
        kind: z.string(),
        transferId: z.string().nullable(),
        externalId: z.string().nullable(),
        idempotencyKey: z.string().nullable(),
        network: z.string().nullable(),
        hash: z.string().nullable(),
        nonce: z.number().nullable(),
        details: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
} as const;
