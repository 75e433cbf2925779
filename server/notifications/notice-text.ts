import { unreachable } from '#domain/invariant.ts';
import { formatAmount, fromMinorText } from '#domain/money.ts';

export const NOTICE_KINDS = [
  'withdrawal_requested',
  'withdrawal_needs_approval',
  'withdrawal_sent',
  'withdrawal_completed',
  'withdrawal_failed',
  'withdrawal_rejected',
  'withdrawal_cancelled',
  'new_address',
  'security_change',
  'email_verification',
  'password_reset',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a notice may speak of. */
export interface NoticeFacts {
  readonly kind: NoticeKind;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Null where the notice is about no withdrawal. */
  readonly withdrawal: {
    readonly id: string;
    readonly asset: string;
    readonly network: string;
    readonly address: string;
    readonly amountMinor: string;
    readonly decimals: number;
    readonly transactionHash: string | null;
  } | null;
}

/** Subject and text of a notice, in the customer's words. It holds no link but those that its receiver asked for. */
export function writeNotice(facts: NoticeFacts): { readonly subject: string; readonly text: string } {
  const { subject, lines } = linesOf(facts);
  return { subject, text: [`Hello ${facts.name},`, '', ...lines, '', 'CryptoEx'].join('\n') };
}

function linesOf(facts: NoticeFacts): { subject: string; lines: readonly string[] } {
  const { kind } = facts;
  const what = whatOf(facts);
  const it = whatLines(facts);
  switch (kind) {
    case 'withdrawal_requested':
      return { subject: `Withdrawal requested: ${what}`, lines: ['We have taken your request:', ...it, NOT_YOU] };
    case 'withdrawal_needs_approval':
      return {
        subject: `Withdrawal under review: ${what}`,
        lines: ['A person looks at your request first:', ...it, NOT_YOU],
      };
    case 'withdrawal_sent':
      return { subject: `Withdrawal sent: ${what}`, lines: ['Your withdrawal is on its way:', ...it] };
    case 'withdrawal_completed':
      return { subject: `Withdrawal completed: ${what}`, lines: ['Your withdrawal has arrived:', ...it] };
    case 'withdrawal_failed':
      return {
        subject: `Withdrawal failed: ${what}`,
        lines: ['Nothing was sent, and your coins are available again:', ...it],
      };
    case 'withdrawal_rejected':
      return {
        subject: `Withdrawal rejected: ${what}`,
        lines: ['It was not approved. Your coins are available again:', ...it],
      };
    case 'withdrawal_cancelled':
      return {
        subject: `Withdrawal cancelled: ${what}`,
        lines: ['You took it back. Your coins are available again:', ...it],
      };
    case 'new_address':
      return {
        subject: 'A new address in your address book',
        lines: [
          `${say(facts, 'label')}: ${say(facts, 'address')} on ${say(facts, 'network')}`,
          `It can be used from ${say(facts, 'usableFrom')}.`,
          NOT_YOU,
        ],
      };
    case 'security_change':
      return {
        subject: 'Your sign-in was changed',
        lines: [
          `Changed: ${say(facts, 'what')}.`,
          ...(facts.data.frozenUntil ? [`Withdrawals rest until ${say(facts, 'frozenUntil')}.`] : []),
          NOT_YOU,
        ],
      };
    case 'email_verification':
      return { subject: 'Is this your address?', lines: ['Open this link to say yes:', say(facts, 'url')] };
    case 'password_reset':
      return {
        subject: 'A new password',
        lines: ['Open this link to choose one:', say(facts, 'url'), 'If you did not ask for it, do nothing.'],
      };
    default:
      return unreachable(kind);
  }
}

const NOT_YOU = 'If this was not you, change your password at once: that freezes withdrawals.';

function whatOf({ withdrawal }: NoticeFacts): string {
  if (withdrawal === null) return '';
  return `${formatAmount(fromMinorText(withdrawal.amountMinor), withdrawal.decimals)} ${withdrawal.asset}`;
}

function whatLines(facts: NoticeFacts): readonly string[] {
  const { withdrawal } = facts;
  if (withdrawal === null) return [];
  return [
    `${whatOf(facts)} to ${withdrawal.address} on ${withdrawal.network}`,
    ...(withdrawal.transactionHash === null ? [] : [`Transaction ${withdrawal.transactionHash}`]),
    `Withdrawal ${withdrawal.id}`,
  ];
}

function say(facts: NoticeFacts, field: string): string {
  return String(facts.data[field] ?? '');
}
