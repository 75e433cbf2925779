import type { ApiContext } from '#server/api/context.ts';
import { RefusalError, shapeRefusal } from '#server/api/refusal-to-trpc.ts';
import { withdrawalRequestSchema } from '#server/api/schemas.ts';
import { beginPasskeyStepUp } from '#server/auth/begin-passkey-step-up.ts';
import { findStepUpNeed, type StepUpNeed } from '#server/auth/find-step-up-need.ts';
import { stepUpFingerprint } from '#server/auth/step-up-fingerprint.ts';
import { decideWithdrawalRequest } from '#server/withdrawals/decide-withdrawal-request.ts';
import { type ReadRequest, readWithdrawalRequest } from '#server/withdrawals/read-withdrawal-request.ts';

type Context = Pick<ApiContext, 'tools' | 'site'>;

/** Whether these values will have to be confirmed, and with what. Changes nothing. @throws RefusalError */
export async function stepUpNeedOf(context: Context, input: { userId: string; body: unknown }): Promise<StepUpNeed> {
  const { request, valueReferenceMinor } = await read(context, input.body);
  return findStepUpNeed(context.tools, { userId: input.userId, meaning: request.meaning, valueReferenceMinor });
}

/** Asks the person's passkeys for a signature of exactly these values. @throws RefusalError */
export async function passkeyStepUpOf(context: Context, input: { userId: string; body: unknown }) {
  const { request } = await read(context, input.body);
  const fingerprint = stepUpFingerprint(request.meaning);
  return beginPasskeyStepUp({ db: context.tools.db, site: context.site }, { userId: input.userId, fingerprint });
}

async function read(
  context: Context,
  body: unknown,
): Promise<{ request: ReadRequest; valueReferenceMinor: bigint | null }> {
  const parsed = withdrawalRequestSchema.safeParse(body);
  if (!parsed.success) throw new RefusalError(shapeRefusal(parsed.error));
  const catalogue = await context.tools.catalogue.read();
  const reading = readWithdrawalRequest({ ...parsed.data, memo: parsed.data.memo }, catalogue);
  if (reading.kind === 'refused') throw new RefusalError(reading.refusal);
  const verdict = decideWithdrawalRequest(reading.request, catalogue);
  const valueReferenceMinor = verdict.kind === 'to_database' ? verdict.valueReferenceMinor : null;
  return { request: reading.request, valueReferenceMinor };
}
