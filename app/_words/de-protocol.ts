import { isRefusalCode } from '#domain/refusal.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import { deRefusals } from './de-refusals.ts';
import type { ProtocolWords } from './en-protocol.ts';

const status: Record<WithdrawalStatus, string> = {
  awaiting_approval: 'In Prüfung',
  queued: 'Wartet auf das Senden',
  dispatching: 'Wird gesendet',
  in_doubt: 'Wird gesendet, wird geprüft',
  submitted: 'Wird gesendet',
  broadcast: 'Im Netzwerk',
  completed: 'Abgeschlossen',
  failed: 'Nicht gesendet',
  cancelled: 'Abgebrochen',
  rejected: 'Abgelehnt',
  refused: 'Nicht angenommen',
};

const statusMeaning: Record<WithdrawalStatus, string> = {
  awaiting_approval: 'Unser Team sieht sich diese Auszahlung an, bevor sie gesendet wird. Sie müssen nichts tun.',
  queued: 'Ihre Anfrage ist gespeichert, der Betrag zurückgelegt. Sie wird gesendet, sobald sie an der Reihe ist.',
  dispatching: 'Wir geben sie gerade an unseren Verwahrer.',
  in_doubt:
    'Wir prüfen, wie weit sie gekommen ist. Der Betrag bleibt zurückgelegt, und sie kann nicht zweimal gesendet werden. Sie müssen nichts tun.',
  submitted: 'Unser Verwahrer hat sie und unterschreibt die Transaktion.',
  broadcast: 'Die Transaktion ist im Netzwerk. Abgeschlossen ist sie, wenn genug Blöcke sie bestätigen.',
  completed: 'Der Betrag ist bei der Adresse angekommen.',
  failed: 'Sie wurde nicht gesendet. Der Betrag ist wieder in Ihrem Guthaben verfügbar.',
  cancelled: 'Sie haben sie abgebrochen, bevor sie gesendet war. Der Betrag ist wieder in Ihrem Guthaben verfügbar.',
  rejected: 'Sie wurde abgelehnt und nicht gesendet. Der Betrag ist wieder in Ihrem Guthaben verfügbar.',
  refused: 'Sie wurde nicht angenommen. Nichts wurde gesendet, nichts zurückgelegt.',
};

const step: Record<string, string> = {
  requested: 'Verlangt',
  under_review: 'In Prüfung',
  approved: 'Freigegeben',
  queued: 'Wartet auf das Senden',
  sending: 'Wird gesendet',
  on_the_network: 'Im Netzwerk',
  completed: 'Abgeschlossen',
  cancelled: 'Abgebrochen',
  failed: 'Nicht gesendet, Betrag zurück',
  rejected: 'Abgelehnt, Betrag zurück',
  refused: 'Nicht angenommen',
};

const waitReason: Record<string, string> = {
  waiting_for_dispatch:
    'Viele Auszahlungen sind vor dieser an der Reihe, oder wir starten gerade neu. Sie wird gesendet, sobald sie dran ist.',
  custody_unreachable: 'Unser Verwahrer antwortet im Moment nicht. Sie wird gesendet, sobald er es tut.',
  custody_unavailable: 'Unser Verwahrer antwortet im Moment nicht. Sie wird gesendet, sobald er es tut.',
  rate_limited: 'Unser Verwahrer bat uns, ein wenig zu warten.',
  maintenance: 'Unser Verwahrer wird gewartet. Danach wird sie gesendet.',
  insufficient_hot_wallet_funds: 'Unsere Wallet für diesen Coin wird gerade aufgefüllt.',
  unauthorized: 'Wir stellen unsere Verbindung zum Verwahrer wieder her.',
  forbidden: 'Wir stellen unsere Verbindung zum Verwahrer wieder her.',
  paused_all: 'Alle Auszahlungen ruhen zurzeit. Der Betrag bleibt zurückgelegt.',
  paused_asset: 'Auszahlungen dieses Coins ruhen zurzeit. Der Betrag bleibt zurückgelegt.',
  paused_network: 'Auszahlungen über dieses Netz ruhen zurzeit. Der Betrag bleibt zurückgelegt.',
  paused_customer: 'Auszahlungen von Ihrem Konto ruhen zurzeit. Der Betrag bleibt zurückgelegt.',
  pair_disabled:
    'Auszahlungen dieses Coins über dieses Netz sind zurzeit abgeschaltet. Der Betrag bleibt zurückgelegt.',
  customer_frozen: 'Auszahlungen sind auf Ihrem Konto zurzeit angehalten. Der Betrag bleibt zurückgelegt.',
  payouts_stopped: 'Auszahlungen von Ihrem Konto ruhen, während wir etwas klären. Der Betrag bleibt zurückgelegt.',
  sending_stopped: 'Alles Senden ruht, während wir unsere Bücher prüfen. Der Betrag bleibt zurückgelegt.',
  look_up_only: 'Alles Senden ruht, während wir unsere Bücher prüfen. Der Betrag bleibt zurückgelegt.',
  memory_unchecked:
    'Alles Senden ruht einen Moment, während wir unsere Bücher mit denen unseres Verwahrers vergleichen.',
  no_reader:
    'Unser Verwahrer sagt, dass sie bezahlt ist. Wir lesen dieses Netz nicht selbst, darum bleibt sie bei uns offen.',
  parked: 'Ein Mensch bei uns sieht sie sich an. Der Betrag bleibt zurückgelegt.',
};

const CHECKING =
  'Wir prüfen mit unserem Verwahrer, wie weit sie gekommen ist. Der Betrag bleibt zurückgelegt, und sie kann nicht zweimal gesendet werden.';

const failure: Record<string, string> = {
  address_rejected: 'Unser Verwahrer sendet nicht an diese Adresse. Betrag und Gebühr sind wieder in Ihrem Guthaben.',
  asset_not_supported:
    'Unser Verwahrer sendet diesen Coin nicht über dieses Netz. Betrag und Gebühr sind wieder in Ihrem Guthaben.',
  amount_too_small: 'Der Betrag ist für unseren Verwahrer zu klein. Er ist mit der Gebühr wieder in Ihrem Guthaben.',
};

const NOT_MADE = 'Sie wurde nicht ausgeführt. Betrag und Gebühr sind wieder in Ihrem Guthaben.';

const codes: Record<string, string> = {
  same: 'es sagte, was wir schon wussten',
  send: 'an den Verwahrer gesendet',
  look_up: 'beim Verwahrer nachgefragt',
  accepted: 'der Verwahrer hat sie genommen',
  found: 'der Verwahrer hat sie',
  not_found: 'der Verwahrer hat nichts unter diesem Schlüssel',
  refused: 'der Verwahrer hat sie abgelehnt',
  not_sent: 'sie hat uns nicht verlassen',
  later: 'der Verwahrer bat zu warten',
  in_doubt: 'keine klare Antwort, also haben wir nachgefragt',
  failed: 'keine Antwort',
  signed: 'unterschrieben',
  broadcast: 'im Netzwerk',
  confirmed: 'bestätigt',
  'transfer.accepted': 'Vom Verwahrer genommen',
  'transfer.signed': 'Unterschrieben',
  'transfer.broadcast': 'An das Netzwerk gesendet',
  'transfer.confirmed': 'Im Netzwerk bestätigt',
  'transfer.failed': 'Nicht ausgeführt',
};

const addressProblems: Record<string, string> = {
  address_malformed: deRefusals.address_malformed,
  address_checksum: deRefusals.address_checksum,
  address_wrong_network: deRefusals.address_wrong_network,
  address_unusable: deRefusals.address_unusable,
};

/** Was das Protokoll in kurzen Namen sagt, wie es ein Kunde hören muss. */
export const deProtocol: ProtocolWords = {
  status,
  statusMeaning,
  addressProblem: (code, detail) => addressProblems[code] ?? detail,
  addressWarning: {
    contract:
      'An dieser Adresse liegt ein Vertrag. Nicht jeder Vertrag kann Coins zurückgeben: Seien Sie sicher, dass der Empfänger ihn für Auszahlungen genannt hat.',
    no_checksum:
      'Diese Schreibweise trägt keine Prüfsumme: Ein falsches Zeichen bliebe unbemerkt. Vergleichen Sie jede Gruppe.',
  },
  step: (name) => step[name] ?? name.replaceAll('_', ' '),
  waitReason: (reason) => waitReason[reason] ?? CHECKING,
  failure: (code) => failure[code] ?? NOT_MADE,
  code: (code) => codes[code] ?? code.replaceAll('_', ' '),
  refusal: (code, said) => (isRefusalCode(code) ? deRefusals[code] : said || code.replaceAll('_', ' ')),
};
