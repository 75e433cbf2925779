import { describeGuards } from './describe-guards.ts';
import { ADA, BEN } from './house.ts';

const CHALLENGE = '00000000-0000-4000-8000-0000000000f1';
const passkey = (credential: string, owner = ADA) => `
  insert into passkeys (id, user_id, credential_id, public_key, label)
  values (gen_random_uuid(), '${owner}', '${credential}', '\\x00', 'Phone')`;
const AUTHENTICATOR = `insert into totp_factors (user_id, secret_sealed, confirmed_at, last_step)
  values ('${ADA}', '\\x01', protocol_now(), 7)`;
const factor = (different: string) => `update totp_factors set ${different} where user_id = '${ADA}'`;
const ASKED = `insert into step_up_challenges (id, user_id, purpose, challenge, expires_at)
  values ('${CHALLENGE}', '${ADA}', 'withdrawal', 'signed', protocol_now() + interval '5 minutes')`;
const SPEND = `update step_up_challenges set spent_at = protocol_now() where id = '${CHALLENGE}'`;
const CONFIRMED = `select given_withdrawal('queued');
  insert into step_up_uses (withdrawal_id, method, fingerprint_sha256) values (given_id('queued'), 'totp', 'of these values')`;

describeGuards({
  'second factors': [
    {
      guard: 'totp_factors_code_taken_once',
      keeps: 'a code that was taken is not taken again',
      given: AUTHENTICATOR,
      refuses: factor('last_step = 6'),
      allows: factor('last_step = 8'),
    },
    {
      guard: 'passkeys_credential_unique',
      keeps: 'a device confirms for one person',
      given: passkey('a'),
      refuses: passkey('a', BEN),
      allows: passkey('b', BEN),
    },
    {
      guard: 'step_up_challenges_spent_once',
      keeps: 'what was signed once confirms once',
      given: `${ASKED}; ${SPEND}`,
      refuses: SPEND,
      allows: `update step_up_challenges set spent_at = protocol_now() where id <> '${CHALLENGE}'`,
    },
    {
      guard: 'step_up_uses_append_only',
      keeps: 'by what a withdrawal was confirmed is not rewritten',
      given: CONFIRMED,
      refuses: `update step_up_uses set method = 'passkey'`,
      allows: `select * from step_up_uses`,
    },
  ],
});
