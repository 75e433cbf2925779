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

const reset = (of: string, values: string) =>
  `insert into second_factor_resets (user_id, token_sha256, ${of}) values (${values})`;
const WAITING = reset('started_at, due_at', `'${ADA}', 'a', protocol_now(), protocol_now() + interval '1 hour'`);
const OVER = reset(
  'started_at, due_at',
  `'${ADA}', 'a', protocol_now() - interval '2 hours', protocol_now() - interval '1 hour'`,
);
const ASKED_FOR = reset('asked_at', `'${ADA}', 'a', protocol_now()`);
const ended = (by: string) => `update second_factor_resets set ended_at = protocol_now(), ended_by = '${by}'`;

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
    {
      guard: 'second_factor_resets_wait_is_over',
      keeps: 'no second factor is taken away before the wait is over',
      given: WAITING,
      refuses: ended('done'),
      allows: ended('stopped'),
    },
    {
      guard: 'second_factor_resets_due_stays',
      keeps: 'a wait that began is not shortened',
      given: WAITING,
      refuses: `update second_factor_resets set due_at = protocol_now()`,
      allows: ended('stopped'),
    },
    {
      guard: 'second_factor_resets_end_once',
      keeps: 'a reset that was stopped stays stopped',
      given: `${OVER}; ${ended('stopped')}`,
      refuses: ended('done'),
      allows: `select * from second_factor_resets`,
    },
    {
      guard: 'second_factor_resets_ended_by',
      keeps: 'it ends stopped, done or replaced',
      given: OVER,
      refuses: ended('forgotten'),
      allows: ended('done'),
    },
    {
      guard: 'second_factor_resets_end_has_cause',
      keeps: 'a reset that ended says how',
      given: OVER,
      refuses: `update second_factor_resets set ended_at = protocol_now()`,
      allows: ended('done'),
    },
    {
      guard: 'second_factor_resets_due_when_started',
      keeps: 'a wait has a beginning and an end',
      given: ASKED_FOR,
      refuses: `update second_factor_resets set started_at = protocol_now()`,
      allows: `update second_factor_resets set started_at = protocol_now(), due_at = protocol_now() + interval '1 hour'`,
    },
    {
      guard: 'second_factor_resets_one_open',
      keeps: 'one reset of a person waits at a time',
      given: WAITING,
      refuses: reset('asked_at', `'${ADA}', 'b', protocol_now()`),
      allows: reset('asked_at', `'${BEN}', 'b', protocol_now()`),
    },
    {
      guard: 'second_factor_resets_token_unique',
      keeps: 'a link begins one reset',
      given: WAITING,
      refuses: reset('asked_at', `'${BEN}', 'a', protocol_now()`),
      allows: reset('asked_at', `'${BEN}', 'b', protocol_now()`),
    },
    {
      guard: 'protocol_settings_reset_wait_not_negative',
      keeps: 'a reset of second factors never comes before it was asked for',
      given: `select 1`,
      refuses: `update protocol_settings set second_factor_reset_wait = '-1 hours'`,
      allows: `update protocol_settings set second_factor_reset_wait = '0'`,
    },
    {
      guard: 'users_language_known',
      keeps: 'we write in a language that we have',
      given: `select 1`,
      refuses: `update users set language = 'xx' where id = '${ADA}'`,
      allows: `update users set language = 'de' where id = '${ADA}'`,
    },
  ],
});
