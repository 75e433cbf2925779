import type { History, Intent } from '../workload/history.ts';
import type { Facts, WithdrawalFact } from './facts.ts';
import type { Violation } from './violation.ts';

/** Compares what customers were told with what became of it. */
export function checkCustomers(facts: Facts, history: History): { violations: Violation[]; lost: number } {
  const rows = new Map(facts.withdrawals.map((row) => [row.idempotencyKey, row]));
  const violations: Violation[] = history.leaks.map(({ what, text }) => ({
    promise: 'nothing of our insides is shown',
    about: what,
    detail: text,
  }));
  let lost = 0;
  for (const intent of history.intents) {
    // The row that it was told of went with our memory; whoever asked again under its key is an intent of their own.
    if (intent.restoredAway === true) continue;
    const row = rows.get(intent.idempotencyKey);
    const named = intent.answers.flatMap((answer) =>
      answer.status === 200 && answer.withdrawalId ? [answer.withdrawalId] : [],
    );
    if (named.length > 0 && row === undefined) {
      lost += 1;
      violations.push({ promise: 'nothing accepted is lost', about: intent.idempotencyKey, detail: named.join(' ') });
      continue;
    }
    violations.push(...checkIntent(intent, row));
  }
  return { violations, lost };
}

function checkIntent(intent: Intent, row: WithdrawalFact | undefined): Violation[] {
  const wrong: string[] = [];
  for (const answer of intent.answers) {
    const { deed, status, code, kind, withdrawalId } = answer;
    if (status === null || status === 429 || status >= 500) continue;
    if (withdrawalId !== null && row !== undefined && withdrawalId !== row.id && deed !== 'stolen_key')
      wrong.push(`${deed} named ${withdrawalId}, the row is ${row.id}`);
    if (deed === 'stolen_key' && (code !== 'idempotency_key_reused' || withdrawalId !== null) && row !== undefined)
      wrong.push(`a stolen key was answered ${status} ${code} ${withdrawalId}`);
    if (deed === 'other_body' && code !== 'idempotency_key_reused')
      wrong.push(`another body was answered ${status} ${code}`);
    if (kind === 'given_up' && row?.refusalCode !== 'given_up') wrong.push(`given up, and yet ${row?.status}`);
    if (kind === 'cancelled' && row?.status !== 'cancelled') wrong.push(`cancelled, and yet ${row?.status}`);
    if (status === 200 && deed === 'request' && row?.status === 'refused') wrong.push('accepted, and yet refused');
  }
  if (intent.habit === 'too_much' && row !== undefined && row.status !== 'refused')
    wrong.push(`too much, and yet ${row.status}`);
  // A stranger may be the first to use a key that was never accepted for its owner.
  const isOwners = intent.answers.some(({ deed, status }) => deed === 'request' && status === 200);
  if (isOwners && row !== undefined && row.customerId !== intent.customerId)
    wrong.push(`the row belongs to ${row.customerId}`);
  return wrong.map((detail) => ({ promise: 'one key is one withdrawal', about: intent.idempotencyKey, detail }));
}
