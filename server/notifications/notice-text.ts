import { unreachable } from '#domain/invariant.ts';
import type { Language } from '#domain/language.ts';
import { formatAmount, fromMinorText } from '#domain/money.ts';
import { NOTICE_WORDS, type NoticeWords } from '#server/notifications/notice-words.ts';

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
  'second_factor_reset',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** What a notice may speak of. */
export interface NoticeFacts {
  readonly kind: NoticeKind;
  readonly name: string;
  readonly language: Language;
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

/** Subject and text of a notice, in the customer's words and language. It holds no link but those that its receiver asked for. */
export function writeNotice(facts: NoticeFacts): { readonly subject: string; readonly text: string } {
  const words = NOTICE_WORDS[facts.language];
  const { subject, lines } = linesOf(facts, words);
  return { subject, text: [words.hello(facts.name), '', ...lines, '', 'CryptoEx'].join('\n') };
}

function linesOf(facts: NoticeFacts, words: NoticeWords): { subject: string; lines: readonly string[] } {
  const { kind, data } = facts;
  switch (kind) {
    case 'withdrawal_requested':
    case 'withdrawal_needs_approval':
    case 'withdrawal_sent':
    case 'withdrawal_completed':
    case 'withdrawal_failed':
    case 'withdrawal_rejected':
    case 'withdrawal_cancelled': {
      const { subject, lead } = words.withdrawal[kind];
      const isNew = kind === 'withdrawal_requested' || kind === 'withdrawal_needs_approval';
      return {
        subject: `${subject}: ${whatOf(facts)}`,
        lines: [lead, ...whatLines(facts, words), ...(isNew ? [words.notYou] : [])],
      };
    }
    case 'new_address':
      return {
        subject: words.newAddress.subject,
        lines: [
          `${say(facts, 'label')}: ${words.place(say(facts, 'address'), say(facts, 'network'))}`,
          words.newAddress.from(timeOf(data.usableFrom)),
          words.notYou,
        ],
      };
    case 'security_change': {
      const what = say(facts, 'what');
      const { subject, changed, rest } = words.securityChange;
      return {
        subject,
        lines: [
          changed(words.securityChange.what[what] ?? what),
          ...(data.frozenUntil ? [rest(timeOf(data.frozenUntil))] : []),
          words.notYou,
        ],
      };
    }
    case 'email_verification':
      return { subject: words.verification.subject, lines: [words.verification.lead, say(facts, 'url')] };
    case 'password_reset':
      return {
        subject: words.passwordReset.subject,
        lines: [words.passwordReset.lead, say(facts, 'url'), words.notAsked],
      };
    case 'second_factor_reset': {
      const { askedSubject, asked, begunSubject, begun, stop } = words.factorReset;
      return data.dueAt === undefined
        ? { subject: askedSubject, lines: [asked, say(facts, 'url'), stop] }
        : { subject: begunSubject, lines: [begun(timeOf(data.dueAt)), stop] };
    }
    default:
      return unreachable(kind);
  }
}

function whatOf({ withdrawal }: NoticeFacts): string {
  if (withdrawal === null) return '';
  return `${formatAmount(fromMinorText(withdrawal.amountMinor), withdrawal.decimals)} ${withdrawal.asset}`;
}

function whatLines(facts: NoticeFacts, words: NoticeWords): readonly string[] {
  const { withdrawal } = facts;
  if (withdrawal === null) return [];
  return [
    words.destination(whatOf(facts), words.place(withdrawal.address, withdrawal.network)),
    ...(withdrawal.transactionHash === null ? [] : [words.transaction(withdrawal.transactionHash)]),
    words.reference(withdrawal.id),
  ];
}

function say(facts: NoticeFacts, field: string): string {
  return String(facts.data[field] ?? '');
}

/** To the minute, in the one zone that every reader can convert: a mail does not know where it is read. */
function timeOf(at: unknown): string {
  const date = new Date(String(at));
  return Number.isNaN(date.getTime()) ? String(at) : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
