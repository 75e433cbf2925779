import type { RequestMeaning } from '#domain/idempotency-key.ts';
import { findLock } from '#server/auth/step-up-attempts.ts';
import type { Db, Statement } from '#server/db/database.ts';

export interface StepUpNeed {
  /** Empty: the request needs no confirmation. */
  reasons: ('amount' | 'new_address')[];
  /** What this person can confirm with; empty: a second factor has to be set up first. */
  methods: ('totp' | 'passkey')[];
  /** After too many wrong codes; null where codes are looked at. */
  lockedUntil: string | null;
  /** What is known of the destination: how often it was paid for this person, and under which name they saved it. */
  destination: { timesPaid: number; savedAs: string | null };
}

/** What the accepting transaction will ask for, told before the press. It decides; this only prepares the page. */
export async function findStepUpNeed(
  deps: { db: Db },
  input: { userId: string; meaning: RequestMeaning; valueReferenceMinor: bigint | null },
): Promise<StepUpNeed> {
  const { network, address, memo } = input.meaning;
  const values = [input.userId, network, address, memo, input.valueReferenceMinor?.toString() ?? null];
  const [[row], lockedUntil] = await Promise.all([deps.db.query<NeedRow>(findNeedSql, values), findLock(deps, input)]);
  const methods: StepUpNeed['methods'] = [];
  if (row?.totp === true) methods.push('totp');
  if (row?.passkey === true) methods.push('passkey');
  return {
    reasons: row?.reasons ?? [],
    methods,
    lockedUntil: lockedUntil?.toISOString() ?? null,
    destination: { timesPaid: row?.times_paid ?? 0, savedAs: row?.saved_as ?? null },
  };
}

interface NeedRow {
  readonly reasons: StepUpNeed['reasons'] | null;
  readonly totp: boolean;
  readonly passkey: boolean;
  readonly times_paid: number;
  readonly saved_as: string | null;
}

const findNeedSql: Statement = {
  name: 'find_step_up_need',
  text: `
    select (select s.reasons from step_up_reasons($1, $2, $3, $4, $5::numeric) s) as reasons,
      exists (select 1 from totp_factors f where f.user_id = $1 and f.confirmed_at is not null) as totp,
      exists (select 1 from passkeys p where p.user_id = $1) as passkey,
      (select count(*)::int from withdrawals x where x.customer_id = $1 and x.network_id = $2 and x.address = $3
        and x.memo is not distinct from $4 and x.status = 'completed') as times_paid,
      (select b.label from address_book b where b.customer_id = $1 and b.network_id = $2 and b.address = $3
        and b.memo is not distinct from $4 and b.removed_at is null limit 1) as saved_as`,
};
