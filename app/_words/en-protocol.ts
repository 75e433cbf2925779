import { isRefusalCode, REFUSALS } from '#domain/refusal.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';

/** What a customer reads for each status; never the word we use among ourselves. */
const status: Record<WithdrawalStatus, string> = {
  awaiting_approval: 'Under review',
  queued: 'Waiting to be sent',
  dispatching: 'Sending',
  in_doubt: 'Sending, being checked',
  submitted: 'Sending',
  broadcast: 'On the network',
  completed: 'Completed',
  failed: 'Not sent',
  cancelled: 'Cancelled',
  rejected: 'Declined',
  refused: 'Refused',
};

/** One sentence under the status: what is happening, and that nothing has to be pressed. */
const statusMeaning: Record<WithdrawalStatus, string> = {
  awaiting_approval: 'Our team looks at this withdrawal before it is sent. You do not need to do anything.',
  queued: 'Your request is saved and the amount is set aside. It is sent as soon as its turn comes.',
  dispatching: 'We are handing it to our custodian now.',
  in_doubt:
    'We are checking how far it got. The amount stays set aside, and it cannot be sent twice. You do not need to do anything.',
  submitted: 'Our custodian has it and is signing the transaction.',
  broadcast: 'The transaction is on the network. It completes after enough blocks confirm it.',
  completed: 'The amount has arrived at the address.',
  failed: 'It was not sent. The amount is available in your balance again.',
  cancelled: 'You cancelled it before it was sent. The amount is available in your balance again.',
  rejected: 'It was declined and not sent. The amount is available in your balance again.',
  refused: 'It was not accepted. Nothing was sent and nothing was set aside.',
};

const step: Record<string, string> = {
  requested: 'Requested',
  under_review: 'Under review',
  approved: 'Approved',
  queued: 'Waiting to be sent',
  sending: 'Sending',
  on_the_network: 'On the network',
  completed: 'Completed',
  cancelled: 'Cancelled',
  failed: 'Not sent, amount returned',
  rejected: 'Declined, amount returned',
  refused: 'Refused',
};

/** What the server gives as reason, as the customer needs to hear it: money is safe, nothing has to be pressed. */
const waitReason: Record<string, string> = {
  waiting_for_dispatch:
    'Many withdrawals are ahead of this one, or we are restarting. It is sent as soon as its turn comes.',
  custody_unreachable: 'Our custodian does not answer at the moment. It is sent as soon as it does.',
  custody_unavailable: 'Our custodian does not answer at the moment. It is sent as soon as it does.',
  rate_limited: 'Our custodian asked us to wait a little.',
  maintenance: 'Our custodian is under maintenance. It is sent as soon as that is over.',
  insufficient_hot_wallet_funds: 'Our wallet for this asset is being refilled.',
  unauthorized: 'We are restoring our connection to the custodian.',
  forbidden: 'We are restoring our connection to the custodian.',
  paused_all: 'All withdrawals are paused for now. The amount stays set aside.',
  paused_asset: 'Withdrawals of this asset are paused for now. The amount stays set aside.',
  paused_network: 'Withdrawals on this network are paused for now. The amount stays set aside.',
  paused_customer: 'Withdrawals from your account are paused for now. The amount stays set aside.',
  pair_disabled: 'Withdrawals of this asset on this network are switched off for now. The amount stays set aside.',
  customer_frozen: 'Withdrawals are frozen on your account for now. The amount stays set aside.',
  payouts_stopped: 'Withdrawals from your account rest while we look into something. The amount stays set aside.',
  sending_stopped: 'All sending is stopped while we check our records. The amount stays set aside.',
  look_up_only: 'All sending is stopped while we check our records. The amount stays set aside.',
  memory_unchecked: 'All sending rests for a moment while we compare our records with our custodian’s.',
  no_reader:
    'Our custodian says that it has been paid. We do not read this network ourselves, so it stays open with us.',
  parked: 'An operator has been asked to look at it. The amount stays set aside.',
};

/** Every other reason is a step of finding out how far it got; the details are for operators. */
const CHECKING =
  'We are checking with our custodian how far it got. The amount stays set aside, and it cannot be sent twice.';

/** Why custody refused for good, and what would be different another time. */
const failure: Record<string, string> = {
  address_rejected: 'Our custodian does not send to this address. The amount and the fee are back in your balance.',
  asset_not_supported:
    'Our custodian does not send this asset on this network. The amount and the fee are back in your balance.',
  amount_too_small: 'The amount is too small for our custodian. It is back in your balance, and so is the fee.',
};

const NOT_MADE = 'The transfer was not made. The amount and the fee are back in your balance.';

/** Short words of the protocol that say too little by themselves. */
const codes: Record<string, string> = {
  same: 'it told what we already knew',
  send: 'sent to the custodian',
  look_up: 'asked the custodian about it',
  accepted: 'the custodian took it',
  found: 'the custodian has it',
  not_found: 'the custodian has nothing under this key',
  refused: 'the custodian refused it',
  not_sent: 'it did not leave us',
  later: 'the custodian asked us to wait',
  in_doubt: 'no clear answer, so we asked',
  failed: 'no answer',
  signed: 'signed',
  broadcast: 'on the network',
  confirmed: 'confirmed',
  'transfer.accepted': 'Taken by the custodian',
  'transfer.signed': 'Signed',
  'transfer.broadcast': 'Sent to the network',
  'transfer.confirmed': 'Confirmed on the network',
  'transfer.failed': 'Not made',
};

/** What the protocol says in short names, as the customer needs to hear it. */
export const enProtocol = {
  status,
  statusMeaning,
  /** Why an address was refused; the codec says it in English. */
  addressProblem: (_code: string, detail: string) => detail,
  addressWarning: {
    contract:
      'A contract lives at this address. Not every contract can give coins back: be sure that the receiver named it for withdrawals.',
    no_checksum: 'This spelling carries no checksum: a wrong character would go unnoticed. Compare every group.',
  },
  step: (name: string) => step[name] ?? sentence(name),
  waitReason: (reason: string) => waitReason[reason] ?? CHECKING,
  /** Why a withdrawal that was accepted ended without a transfer. */
  failure: (code: string) => failure[code] ?? NOT_MADE,
  /** A word of the protocol for which there is no sentence. */
  code: (code: string) => codes[code] ?? sentence(code),
  /** Codes are stable and have words here; what we do not know is shown as the server said it. */
  refusal: (code: string, said: string) => (isRefusalCode(code) ? REFUSALS[code].message : said || sentence(code)),
};

export type ProtocolWords = typeof enProtocol;

/** A code nobody has written words for yet, made readable rather than hidden. */
function sentence(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
