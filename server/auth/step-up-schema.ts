import { z } from 'zod';

const text = z.string().max(4_096);

/** What a device answers to a challenge, as the browser writes it. */
const passkeyAnswerSchema = z.object({
  id: text,
  rawId: text,
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.optional(),
  }),
});

/** What confirms a withdrawal: a code of an authenticator, or the signature of a passkey. */
export const stepUpSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('totp'), code: z.string().max(20) }),
  z.strictObject({ kind: z.literal('passkey'), challengeId: z.uuid(), answer: passkeyAnswerSchema }),
]);

/** What somebody answers at sign-in, after their password. */
export const secondFactorAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('totp'), code: z.string().max(20) }),
  z.strictObject({ kind: z.literal('recovery_code'), code: z.string().max(40) }),
  z.strictObject({ kind: z.literal('passkey'), answer: passkeyAnswerSchema }),
]);

export const passkeyRegistrationSchema = z.object({
  id: text,
  rawId: text,
  response: z.object({
    clientDataJSON: text,
    attestationObject: z.string().max(16_384),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

export type StepUp = z.infer<typeof stepUpSchema>;
export type PasskeyAnswer = z.infer<typeof passkeyAnswerSchema>;
export type PasskeyRegistration = z.infer<typeof passkeyRegistrationSchema>;
