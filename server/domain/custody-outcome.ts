import {
  differingFields,
  type ExpectedTransfer,
  isRecord,
  readShownTransfer,
  type ShownTransfer,
} from '#domain/custody-transfer.ts';
import { parseJson } from '#domain/json-text.ts';

/** What the HTTP client recorded about one call, in its own words and without a judgement. */
export interface CustodyExchange {
  /** Whether any byte of the request was handed to a socket that had connected. The only proof of "not sent". */
  readonly bytesHandedToConnectedSocket: boolean;
  /** Present when a status line and headers came. */
  readonly response?: {
    readonly status: number;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly bodyText: string;
    /** False when the body stalled, was cut or was longer than the client reads. */
    readonly complete: boolean;
  };
  /** Present when the call ended in an error. Its name proves nothing. */
  readonly error?: { readonly name: string; readonly message: string };
}

/** A pair of status and code that the adapter's contract speaks about. */
export interface ContractReason {
  readonly status: number;
  readonly code: string;
}

/** What the adapter's contract says about answers that are no success. Whatever it does not name is in doubt. */
export interface CustodyAnswerContract {
  /** Refusals that custody will never take back. Only the resolver decides when one of them ends a withdrawal. */
  readonly finalReasons: readonly ContractReason[];
  /** Answers that promise that nothing was made. `scope` says whom the wait concerns. */
  readonly laterReasons: readonly (ContractReason & { readonly scope: LaterScope })[];
}

export type LaterScope = 'everything' | 'asset' | 'request';

export type InDoubtReason =
  | 'no_answer'
  | 'body_incomplete'
  | 'redirect'
  | 'server_error'
  | 'odd_body'
  | 'transfer_differs'
  | 'transfer_not_live'
  | 'duplicate_reference'
  | 'in_progress'
  | 'idempotency_key_reused'
  | 'expired'
  | 'refusal_without_reference'
  | 'put_off'
  | 'unlisted_answer';

/** The answer of a call to custody is one of five, and unknown is not failed. */
export type CustodyOutcome =
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'accepted'; readonly transfer: ShownTransfer; readonly replayed: boolean }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string }
  | {
      readonly kind: 'later';
      readonly code: string;
      readonly scope: LaterScope;
      /** What custody asked for, or null where it named no time. */
      readonly retryAfterMs: number | null;
    }
  | {
      readonly kind: 'in_doubt';
      readonly reason: InDoubtReason;
      /** The status, the differing fields or the error's name: for the attempt row, never for a decision. */
      readonly detail: string;
      /** The transfer that custody named as the holder of our reference: a reason to look it up, no proof of it. */
      readonly transferId: string | null;
    };

/** A custody that holds a transfer in one of these has it, and will go on with it. */
const LIVE_TRANSFER_STATUSES: ReadonlySet<string> = new Set(['accepted', 'signed', 'broadcast', 'confirmed']);

const DOUBT_CODES = {
  duplicate_reference: 'duplicate_reference',
  in_progress: 'in_progress',
  idempotency_key_reused: 'idempotency_key_reused',
  expired: 'expired',
} as const satisfies Record<string, InDoubtReason>;

/**
 * Sorts what the client recorded into one of the five outcomes.
 *
 * @param exchange what happened on the wire
 * @param expected what we asked for; an answer that echoes anything else is not our answer
 * @param contract the adapter's contract; what it does not name is in doubt
 */
export function sortAnswer(
  exchange: CustodyExchange,
  expected: ExpectedTransfer,
  contract: CustodyAnswerContract,
): CustodyOutcome {
  const { response, error } = exchange;
  if (response === undefined) {
    const detail = error === undefined ? 'no answer' : error.name;
    // A refused connection, a name that does not resolve: whatever it is called, no byte had left us.
    if (!exchange.bytesHandedToConnectedSocket) return { kind: 'not_sent', reason: detail };
    return doubt('no_answer', detail);
  }
  if (!response.complete) return doubt('body_incomplete', `status ${response.status}`);
  if (response.status >= 200 && response.status <= 299) return sortSuccess(response, expected);
  if (response.status >= 300 && response.status <= 399) return doubt('redirect', `status ${response.status}`);
  return sortProblem(response, expected, contract);
}

type RecordedResponse = NonNullable<CustodyExchange['response']>;

function sortSuccess(response: RecordedResponse, expected: ExpectedTransfer): CustodyOutcome {
  const transfer = readShownTransfer(parseJson(response.bodyText));
  if (transfer === null) return doubt('odd_body', `status ${response.status}`);
  const fields = differingFields(expected, transfer);
  if (fields.length > 0) return doubt('transfer_differs', fields.join(' '), transfer.id);
  // Our own transfer, refused or failed: what that means is decided from a look-up, not from this answer.
  if (!LIVE_TRANSFER_STATUSES.has(transfer.status)) return doubt('transfer_not_live', transfer.status, transfer.id);
  return { kind: 'accepted', transfer, replayed: response.headers['idempotent-replayed'] === 'true' };
}

function sortProblem(
  response: RecordedResponse,
  expected: ExpectedTransfer,
  contract: CustodyAnswerContract,
): CustodyOutcome {
  const problem = parseJson(response.bodyText);
  const where = `status ${response.status}`;
  const code = isRecord(problem) && typeof problem.code === 'string' ? problem.code : null;
  if (!isRecord(problem) || code === null) return doubt(response.status >= 500 ? 'server_error' : 'odd_body', where);
  if (Object.hasOwn(DOUBT_CODES, code)) return doubt(toDoubtReason(code), where, textOrNull(problem.transferId));
  const isNamed = (reason: ContractReason) => reason.status === response.status && reason.code === code;
  const later = contract.laterReasons.find(isNamed);
  if (later !== undefined) return { kind: 'later', code, scope: later.scope, retryAfterMs: retryAfterMs(response) };
  if (contract.finalReasons.some(isNamed)) {
    // Without our reference it may answer somebody else's request.
    if (problem.externalId !== expected.reference) return doubt('refusal_without_reference', code);
    return { kind: 'refused', code, detail: textOrNull(problem.detail) ?? '' };
  }
  return doubt(response.status >= 500 ? 'server_error' : 'unlisted_answer', `${where} ${code}`);
}

function toDoubtReason(code: string): InDoubtReason {
  const [, reason] = Object.entries(DOUBT_CODES).find(([name]) => name === code) ?? [];
  return reason ?? 'unlisted_answer';
}

function doubt(reason: InDoubtReason, detail: string, transferId: string | null = null): CustodyOutcome {
  return { kind: 'in_doubt', reason, detail, transferId };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** `Retry-After` in whole seconds, or as a date counted from the answer's own `Date`. */
function retryAfterMs(response: RecordedResponse): number | null {
  const text = response.headers['retry-after'];
  if (text === undefined) return null;
  if (/^[0-9]{1,6}$/.test(text)) return Number.parseInt(text, 10) * 1000;
  const now = custodyClockMs(response.headers);
  const until = Date.parse(text);
  return now === null || Number.isNaN(until) ? null : Math.max(0, until - now);
}

/** Custody's own clock, from the `Date` of an answer, in milliseconds since 1970; null where it gave none. */
export function custodyClockMs(headers: Readonly<Record<string, string>>): number | null {
  const parsed = Date.parse(headers.date ?? '');
  return Number.isNaN(parsed) ? null : parsed;
}
