import type { Redis } from 'ioredis';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { QUEUE_PREFIX } from '#server/queue/job-catalog.ts';
import { withDeadline } from '#server/queue/with-deadline.ts';

/** Says "somebody is on it right now", and saves work. It guards nothing: whoever may send is decided by the row. */
export interface WithdrawalClaim {
  readonly withdrawalId: string;
  readonly token: string;
}

export type TakeClaimResult =
  | { readonly kind: 'taken'; readonly claim: WithdrawalClaim }
  /** Another token is processing it, for so many milliseconds at most. */
  | { readonly kind: 'held'; readonly remainingMs: number }
  /** Redis does not answer: go on without a claim, the row decides. */
  | { readonly kind: 'unavailable' };

/** What is left under the key when the work is done; it informs and never refuses a claim. */
export interface ClaimResultNote {
  readonly state: 'completed' | 'failed';
  readonly status: string;
  readonly transferId: string | null;
}

// Only a *processing* value of another token counts as taken.
const TAKE = `
local held = redis.call('GET', KEYS[1])
if held then
  local ok, value = pcall(cjson.decode, held)
  if ok and type(value) == 'table' and value.state == 'processing' and value.token ~= ARGV[1] then
    return redis.call('PTTL', KEYS[1])
  end
end
redis.call('SET', KEYS[1], cjson.encode({ state = 'processing', token = ARGV[1] }), 'PX', ARGV[2])
return -1000`;

// Compare-and-delete: a claim that ran out and was taken by another is not ours to release.
const END = `
local held = redis.call('GET', KEYS[1])
if not held then return 0 end
local ok, value = pcall(cjson.decode, held)
if not ok or type(value) ~= 'table' or value.token ~= ARGV[1] then return 0 end
if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

/** The claim tools of one worker. The deadline is ours: a Redis that hangs must not hold up a job that the row allows. */
export function createWithdrawalClaims(redis: Redis, times: ProtocolTimes) {
  const keyOf = (withdrawalId: string) => `${QUEUE_PREFIX}:claim:${withdrawalId}`;
  const run = (script: string, withdrawalId: string, ...values: string[]) =>
    withDeadline(redis.eval(script, 1, keyOf(withdrawalId), ...values), times.redisDeadlineMs, 'claim');
  return {
    async take(claim: WithdrawalClaim): Promise<TakeClaimResult> {
      try {
        const remaining = Number(await run(TAKE, claim.withdrawalId, claim.token, String(times.claimMs)));
        return remaining === -1000 ? { kind: 'taken', claim } : { kind: 'held', remainingMs: Math.max(0, remaining) };
      } catch {
        return { kind: 'unavailable' };
      }
    },
    /** Ends our claim, leaving the note or nothing. Returns whether it was still ours; Redis down counts as no. */
    async end(claim: WithdrawalClaim, note: ClaimResultNote | null): Promise<boolean> {
      const text = note === null ? '' : JSON.stringify({ ...note, withdrawalId: claim.withdrawalId });
      const lifeMs = note?.state === 'failed' ? times.claimFailedMs : times.claimCompletedMs;
      try {
        return Number(await run(END, claim.withdrawalId, claim.token, text, String(lifeMs))) === 1;
      } catch {
        return false;
      }
    },
    /** The value under the key, for people and tests. */
    read: (withdrawalId: string) => redis.get(keyOf(withdrawalId)),
  };
}

export type WithdrawalClaims = ReturnType<typeof createWithdrawalClaims>;
