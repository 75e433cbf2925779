import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { requestWithdrawal } from './api-call.ts';
import { freshAddress } from './chain.ts';
import { askDatabase } from './database.ts';

/**
 * A withdrawal that was sent an hour ago without an answer, was looked up since and not found, which proves nothing yet, and is
 * parked; and a case of the same customer's that stopped their payouts. Written into the database: on the way there by itself a
 * not-after would have to pass.
 *
 * @param request signed in as this customer
 */
export async function arrangeDoubt(
  request: APIRequestContext,
  customerId: string,
): Promise<{ withdrawalId: string; caseId: string }> {
  // It waits for a person, so that no worker claims it meanwhile.
  await askDatabase('update customers set review_all = true where id = $1 returning id', [customerId]);
  const body = { asset: 'USDC', network: 'ethereum', address: freshAddress(), memo: null, amount: '2' };
  const { withdrawal, text } = await requestWithdrawal(request, { key: randomUUID(), body });
  if (withdrawal === null) throw new Error(`not accepted: ${text}`);
  const { withdrawalId } = withdrawal;
  for (const step of STEPS) await askDatabase(step, [withdrawalId]);
  await askDatabase(
    `update customers set payouts_stopped_at = protocol_now(), payouts_stopped_reason = 'paid_twice' where id = $1 returning id`,
    [customerId],
  );
  const [found] = await askDatabase<{ id: string }>(
    `insert into cases (kind, fingerprint, customer_id, withdrawal_id, evidence)
     values ('paid_twice', gen_random_uuid()::text, $1, $2, '{"transactions": ["0xaa", "0xbb"]}') returning id`,
    [customerId, withdrawalId],
  );
  if (found === undefined) throw new Error('no case was opened');
  return { withdrawalId, caseId: found.id };
}

const ATTEMPT = 'insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account';
const STEPS = [
  `${ATTEMPT}, body, body_sha256, not_after, outcome)
   values ($1, 1, 'send', 1, 'mock-custody', 'main', 'bytes', 'hash', protocol_now() - interval '1 hour', 'in_doubt') returning 1`,
  `update withdrawals set status = 'in_doubt', fence = 2, provider = 'mock-custody', provider_account = 'main', parked_at = protocol_now(), parked_reason = 'attempts_exhausted',
     next_action_at = protocol_now() + interval '1 hour' where id = $1 returning 1`,
  `${ATTEMPT}, outcome, outcome_at)
   values ($1, 2, 'look_up', 2, 'mock-custody', 'main', 'not_found', protocol_now()) returning 1`,
];
