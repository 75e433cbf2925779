import { randomUUID } from 'node:crypto';
import { hashPassword } from 'better-auth/crypto';
import { generateSecret, generateSync } from 'otplib';
import { sealSecret } from '#server/auth/secret-box.ts';
import type { Books } from '../proof-world.ts';
import { type ApiClient, createApiClient } from '../workload/api-client.ts';
import type { History } from '../workload/history.ts';
import { signIn } from '../workload/open-customers.ts';

/** Somebody on duty, with an authenticator. */
export interface Colleague {
  readonly userId: string;
  readonly client: ApiClient;
  /** A code that was not used yet; null until the authenticator shows the next one. */
  nextCode(): string | null;
}

const PASSWORD = 'never-used-outside-a-proof';
const STEP_SECONDS = 30;

/**
 * Approvers who sign in by the public door. A code confirms once and there is a new one every half minute, so that a run with many
 * deeds needs more than two of them.
 */
export async function openTeam(
  deps: { world: Books; history: History },
  input: { count: number },
): Promise<Colleague[]> {
  const { world, history } = deps;
  const password = await hashPassword(PASSWORD);
  const team: Colleague[] = [];
  for (let number = 1; number <= input.count; number += 1) {
    const userId = randomUUID();
    const email = `staff-${number}-${userId}@proof.cryptoex.test`;
    await world.ask(INSERT_COLLEAGUE, [userId, `Staff ${number}`, email, randomUUID(), password]);
    const cookie = await signIn(world.stack.urls.web, { email, password: PASSWORD });
    const secret = generateSecret();
    const sealed = sealSecret(secret, world.stack.env.AUTH_SECRET ?? '');
    await world.ask('insert into totp_factors (user_id, secret_sealed, confirmed_at) values ($1, $2, protocol_now())', [
      userId,
      sealed,
    ]);
    const client = createApiClient({ webUrl: world.stack.urls.web, cookie, history });
    team.push({ userId, client, nextCode: createCodes(secret) });
  }
  return team;
}

/** One step before and after the present are taken as well, each code once. */
function createCodes(secret: string): () => string | null {
  let usedStep = 0;
  return () => {
    const present = Math.floor(Date.now() / 1_000 / STEP_SECONDS);
    const step = Math.max(present - 1, usedStep + 1);
    if (step > present + 1) return null;
    usedStep = step;
    return generateSync({ secret, epoch: step * STEP_SECONDS });
  };
}

const INSERT_COLLEAGUE = `
  with person as (
    insert into users (id, name, email, email_verified, role) values ($1, $2, $3, true, 'approver') returning id
  )
  insert into accounts (id, account_id, provider_id, user_id, password)
  select $4, p.id::text, 'credential', p.id, $5 from person p`;
