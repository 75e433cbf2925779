export interface RefusalRule {
  /** A sentence that tells the customer what to do next. */
  readonly message: string;
  readonly httpStatus: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 503;
  /** Decided under the customer's lock: kept under the key, so that a late duplicate is refused again. */
  readonly stored: boolean;
}

const RULES = {
  amount_malformed: rule(400, 'Write the amount in plain digits with a point, such as 12.5, without signs or spaces.'),
  amount_not_positive: rule(400, 'The amount must be more than zero.'),
  amount_too_many_decimals: rule(400, 'The amount has more decimals than this asset. We never round: shorten it.'),
  amount_too_large: rule(400, 'The amount is larger than any balance can be.'),
  amount_below_minimum: rule(422, 'The amount that would arrive is below the minimum for this network.'),
  amount_below_fee: rule(422, 'The fee is as large as the amount, so nothing would arrive. Ask for more.'),
  insufficient_funds: rule(422, 'Your available balance does not cover the amount and the fee.', 'stored'),
  asset_unknown: rule(422, 'We do not offer this asset.'),
  network_unknown: rule(422, 'We do not offer this asset on this network. Choose one of its networks.'),
  pair_disabled: rule(422, 'Withdrawals of this asset on this network are switched off.', 'stored'),
  pair_paused: rule(422, 'Withdrawals are paused for now. Nothing was reserved; please try again later.', 'stored'),
  address_malformed: rule(400, 'This is not an address of the chosen network.'),
  address_checksum: rule(400, 'The address does not match its own checksum: a character is wrong. Copy it again.'),
  address_wrong_network: rule(400, 'This address belongs to another network than the chosen one.'),
  address_unusable: rule(422, 'Nobody holds the keys to this address: coins sent there would be lost.'),
  address_token_contract: rule(422, 'This is the contract of a token. Coins sent to it would be lost.'),
  address_own_deposit: rule(
    422,
    'This address belongs to us. Coins cannot be withdrawn to our own addresses.',
    'stored',
  ),
  address_not_allowed: rule(422, 'You allow withdrawals to your address book only, and this is not in it.', 'stored'),
  address_on_hold: rule(422, 'This address was added a short while ago and cannot be used yet.', 'stored'),
  memo_malformed: rule(400, 'The memo or tag is not valid on this network.'),
  memo_required_choice: rule(400, 'Give the destination tag, or say that the receiver needs none.'),
  memo_not_supported: rule(400, 'This network has no memo. Leave it empty.'),
  idempotency_key_missing: rule(400, 'The request has no idempotency key. Send a fresh UUID with it.'),
  idempotency_key_malformed: rule(
    400,
    'The idempotency key must be one UUID of version 4 or 7, made for this request.',
  ),
  idempotency_key_conflicting: rule(400, 'The header and the body carry two different idempotency keys.'),
  idempotency_key_reused: rule(
    422,
    'This key already belongs to another request. Review yours and send it under a new one.',
  ),
  request_malformed: rule(400, 'The request cannot be read. Nothing was done.'),
  unknown_field: rule(400, 'The request has a field we do not know. Nothing was done.'),
  fee_changed: rule(422, 'The fee has changed since you reviewed it. Please look at it again.', 'stored'),
  look_alike: rule(422, 'You asked for the same withdrawal a few minutes ago. This would be a second one.', 'stored'),
  customer_frozen: rule(422, 'Withdrawals are frozen on your account for now.', 'stored'),
  limit_exceeded: rule(422, 'This would pass a withdrawal limit of your account.', 'stored'),
  refused_too_often: rule(429, 'Too many refused requests today. Please try again later.'),
  given_up: rule(422, 'This request was given up before it was accepted. Nothing was sent.', 'stored'),
  not_found: rule(404, 'We find nothing under this name.'),
  second_person_needed: rule(403, 'This needs another person than you.'),
  changed_meanwhile: rule(409, 'This has changed since you saw it. Look at it again before you decide.'),
  not_now: rule(409, 'We are checking what was sent, and decide nothing meanwhile. Ask again in a minute.'),
  already_done: rule(409, 'This was already done, or is no longer open.'),
  step_up_required: rule(403, 'Confirm this withdrawal with a code of your authenticator, or with a passkey.'),
  step_up_wrong: rule(403, 'This does not confirm it: the code is wrong, too old, or was used before. Take a new one.'),
  step_up_locked: rule(429, 'Too many wrong codes. No code is looked at for 15 minutes; nothing was sent.'),
  second_factor_expired: rule(403, 'This sign-in took too long. Start again with your password.'),
  password_wrong: rule(403, 'This is not your password.'),
  unauthorized: rule(401, 'Please sign in.'),
  forbidden: rule(403, 'You may not do this.'),
  rate_limited: rule(
    429,
    'Too many requests at once. Wait a moment and send the same request again: it is taken once.',
  ),
  too_many_views: rule(409, 'You keep as many views as one person may. Forget one first.'),
  service_unavailable: rule(503, 'We cannot take requests at this moment. Nothing was reserved.'),
  outcome_unknown: rule(
    503,
    'We do not know yet how this ended. Nothing needs to be pressed: the same request may be sent again, and is taken once.',
  ),
} as const satisfies Record<string, RefusalRule>;

export type RefusalCode = keyof typeof RULES;

/** What we say when we refuse: one sentence, one HTTP status and one memory for each stable code. */
export const REFUSALS: Readonly<Record<RefusalCode, RefusalRule>> = RULES;

/** A refusal is a value. It never carries anything of another customer's. */
export interface Refusal {
  readonly code: RefusalCode;
  /** The fields it is about, by the names the request uses. */
  readonly fields?: readonly string[];
  /** The exact reason, in words for the customer. */
  readonly detail?: string;
}

/** Makes a refusal. */
export function refuse(code: RefusalCode, more: Omit<Refusal, 'code'> = {}): Refusal {
  return { code, ...more };
}

/** Whether a text from a row or a wire is one of our codes. */
export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(RULES, text);
}

function rule(
  httpStatus: RefusalRule['httpStatus'],
  message: string,
  memory: 'stored' | 'not_stored' = 'not_stored',
): RefusalRule {
  return { message, httpStatus, stored: memory === 'stored' };
}
