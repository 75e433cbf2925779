import type { RequestMeaning } from '#domain/idempotency-key.ts';
import { refuse } from '#domain/refusal.ts';
import type { ApiContext } from '#server/api/context.ts';
import { mintWithdrawalId } from '#server/api/mint-withdrawal-id.ts';
import { readRequestKey } from '#server/api/read-request-key.ts';
import { RefusalError, shapeRefusal } from '#server/api/refusal-to-trpc.ts';
import { withdrawalRequestSchema } from '#server/api/schemas.ts';
import { checkStepUp } from '#server/auth/check-step-up.ts';
import { stepUpFingerprint } from '#server/auth/step-up-fingerprint.ts';
import type { StepUp } from '#server/auth/step-up-schema.ts';
import { openCustomer } from '#server/customers/open-customer.ts';
import { logger } from '#server/logger.ts';
import { countRequest } from '#server/metrics.ts';
import { traceClick, traceStep } from '#server/tracing.ts';
import type { SeenWithdrawal } from '#server/withdrawals/answer-known-key.ts';
import {
  type Confirmation,
  requestWithdrawal,
  type WithdrawalRequest,
} from '#server/withdrawals/request-withdrawal.ts';

/**
 * A withdrawal request as it comes through the door. Only the key is checked before the verb: a body that cannot be read
 * is handed on as such, because a known key is answered whatever came with it.
 *
 * @throws RefusalError, DatabaseError
 */
export async function acceptWithdrawalRequest(
  context: Pick<ApiContext, 'tools' | 'keyHeader' | 'requestId' | 'site'>,
  input: { customerId: string; body: unknown },
): Promise<{ replayed: boolean } & SeenWithdrawal> {
  const { tools } = context;
  const receivedAtMs = Date.now();
  const key = readRequestKey(context.keyHeader, input.body);
  if (key.kind === 'refused') throw new RefusalError(key.refusal);
  const request = limitNew(context, toRequest(context, input, key.key));
  const answer = await (tools.requestGate ?? tools.gate).run(input.customerId, async () => {
    const first = await requestWithdrawal(tools, request);
    if (first.kind !== 'no_customer') return first;
    await openCustomer(tools, { userId: input.customerId });
    return await requestWithdrawal(tools, request);
  });
  const ids = { requestId: context.requestId, idempotencyKey: key.key };
  switch (answer.kind) {
    case 'accepted':
      if (answer.outboxId !== null) tools.relay(answer.outboxId);
      countRequest('accepted');
      traceClick(answer.withdrawal.withdrawalId, { clickedAtMs: request.clickedAt?.getTime() ?? null, receivedAtMs });
      logger().info('withdrawal.accepted', { ...ids, withdrawalId: answer.withdrawal.withdrawalId });
      return { replayed: false, withdrawal: answer.withdrawal, now: answer.now };
    case 'replayed':
      countRequest('replayed');
      traceStep('withdrawal.replay', answer.withdrawal.withdrawalId, { startedAtMs: receivedAtMs });
      logger().info('withdrawal.replayed', { ...ids, withdrawalId: answer.withdrawal.withdrawalId });
      return { replayed: true, withdrawal: answer.withdrawal, now: answer.now };
    case 'refused':
      countRequest('refused');
      logger().info('withdrawal.refused', { ...ids, code: answer.refusal.code, withdrawalId: answer.withdrawalId });
      throw new RefusalError(answer.refusal, answer.withdrawalId);
    case 'no_customer':
      throw new Error('a signed-in customer has no customer row after it was opened');
  }
}

/** Beyond the limit a new key is refused. A known one is answered all the same: it is looked up before that is asked. */
function limitNew(context: Pick<ApiContext, 'tools'>, request: WithdrawalRequest): WithdrawalRequest {
  if (context.tools.requestLimit?.(request.customerId) !== false) return request;
  return { ...request, confirm: () => Promise.resolve({ kind: 'refused', refusal: refuse('rate_limited') }) };
}

function toRequest(
  context: Pick<ApiContext, 'tools' | 'site'>,
  input: { customerId: string; body: unknown },
  idempotencyKey: WithdrawalRequest['idempotencyKey'],
): WithdrawalRequest {
  const parsed = withdrawalRequestSchema.safeParse(input.body);
  const common = { withdrawalId: mintWithdrawalId(), idempotencyKey, customerId: input.customerId };
  if (!parsed.success) {
    const body = { kind: 'refused', refusal: shapeRefusal(parsed.error) } as const;
    return { ...common, body, lookAlikeOf: null, clickedAt: null, confirm: null };
  }
  const { lookAlikeOf, clickedAt, memo, stepUp, ...wire } = parsed.data;
  return {
    ...common,
    body: { kind: 'read', wire: { ...wire, memo } },
    lookAlikeOf,
    clickedAt: clickedAt === null ? null : new Date(clickedAt),
    confirm: stepUp === null ? null : (meaning) => confirm(context, { userId: input.customerId, stepUp, meaning }),
  };
}

/** Bound to the values as we read them from this very request: nothing else is confirmed by it. */
async function confirm(
  context: Pick<ApiContext, 'tools' | 'site'>,
  input: { userId: string; stepUp: StepUp; meaning: RequestMeaning },
): Promise<Confirmation> {
  const fingerprint = stepUpFingerprint(input.meaning);
  const checked = await checkStepUp({ db: context.tools.db, site: context.site }, { ...input, fingerprint });
  return checked.kind === 'refused' ? checked : { ...checked, fingerprint };
}
