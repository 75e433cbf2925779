import { randomUUID } from 'node:crypto';
import type { TestPerson } from '#server/api/api-world.test-support.ts';
import type { TestDatabase } from '#server/db/test-database.ts';
import type { Doubt } from '#server/operator/find-doubts.ts';

/** A withdrawal of ten USDC to an address that nobody else has. */
export async function takeWithdrawal(customer: TestPerson): Promise<string> {
  const address = `0x${randomUUID().replaceAll('-', '')}aabbccdd`;
  const body = { asset: 'USDC', network: 'ethereum', address, amount: '10' };
  return (await customer.request(body, randomUUID())).data.withdrawal.withdrawalId;
}

/** Sent once an hour ago without an answer, parked, and looked up; `proof` is what the look-up wrote down. */
export async function parkInDoubt(
  world: { database: TestDatabase; customer: TestPerson },
  proof: 'absence proved' | 'absence not proved',
): Promise<string> {
  const { database, customer } = world;
  const id = await takeWithdrawal(customer);
  await database.run(
    `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, body, body_sha256, not_after, outcome)
     values ($1, 1, 'send', 1, 'custody', 'main', 'bytes', 'hash', protocol_now() - interval '1 hour', 'in_doubt')`,
    [id],
  );
  await database.run(
    `update withdrawals set status = 'dispatching', fence = 1, provider = 'custody', provider_account = 'main' where id = $1`,
    [id],
  );
  await database.run(
    `update withdrawals set status = 'in_doubt', fence = 2, parked_at = protocol_now(), parked_reason = 'attempts_exhausted',
       next_action_at = protocol_now() + interval '5 minutes' where id = $1`,
    [id],
  );
  await database.run(
    `insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account, outcome, outcome_at, detail)
     values ($1, 2, 'look_up', 2, 'custody', 'main', 'not_found', protocol_now(), jsonb_build_object('absenceProved', $2::text = 'absence proved'))`,
    [id, proof],
  );
  return id;
}

/** The case as the board of doubts shows it. */
export async function seeDoubt(operator: TestPerson, withdrawalId: string): Promise<Doubt> {
  const { data } = await operator.query<{ items: Doubt[] }>('operator.doubts.list');
  const found = data.items.find((item) => item.withdrawalId === withdrawalId);
  if (found === undefined) throw new Error('not on the board');
  return found;
}

/** What somebody proposes who has looked at exactly this. */
export function proposalOf(doubt: Doubt, deed: 'release' | 'hand_back') {
  const { withdrawalId, fence, revision } = doubt;
  return { resolutionId: randomUUID(), withdrawalId, deed, fence, revision, reason: 'looked at the evidence' };
}
