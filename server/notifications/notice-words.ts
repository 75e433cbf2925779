import type { Language } from '#domain/language.ts';

type WithdrawalKind =
  | 'withdrawal_requested'
  | 'withdrawal_needs_approval'
  | 'withdrawal_sent'
  | 'withdrawal_completed'
  | 'withdrawal_failed'
  | 'withdrawal_rejected'
  | 'withdrawal_cancelled';

/** Every word of a mail. Texts that the database writes by a code have their words here, by that code. */
export interface NoticeWords {
  readonly hello: (name: string) => string;
  readonly notYou: string;
  /** Subject before the amount, and the sentence above the details. */
  readonly withdrawal: Record<WithdrawalKind, { readonly subject: string; readonly lead: string }>;
  readonly place: (address: string, network: string) => string;
  readonly destination: (what: string, place: string) => string;
  readonly transaction: (hash: string) => string;
  readonly reference: (id: string) => string;
  readonly newAddress: { readonly subject: string; readonly from: (time: string) => string };
  readonly securityChange: {
    readonly subject: string;
    readonly changed: (what: string) => string;
    readonly rest: (time: string) => string;
    readonly what: Readonly<Record<string, string>>;
  };
  readonly verification: { readonly subject: string; readonly lead: string };
  readonly passwordReset: { readonly subject: string; readonly lead: string };
  readonly factorReset: {
    readonly askedSubject: string;
    readonly asked: string;
    readonly begunSubject: string;
    readonly begun: (time: string) => string;
    readonly stop: string;
  };
  readonly notAsked: string;
}

const en: NoticeWords = {
  hello: (name) => `Hello ${name},`,
  notYou: 'If this was not you, change your password at once: that freezes withdrawals.',
  withdrawal: {
    withdrawal_requested: { subject: 'Withdrawal requested', lead: 'We have taken your request:' },
    withdrawal_needs_approval: { subject: 'Withdrawal under review', lead: 'A person looks at your request first:' },
    withdrawal_sent: { subject: 'Withdrawal sent', lead: 'Your withdrawal is on its way:' },
    withdrawal_completed: { subject: 'Withdrawal completed', lead: 'Your withdrawal has arrived:' },
    withdrawal_failed: {
      subject: 'Withdrawal failed',
      lead: 'Nothing was sent, and your coins are available again:',
    },
    withdrawal_rejected: {
      subject: 'Withdrawal rejected',
      lead: 'It was not approved. Your coins are available again:',
    },
    withdrawal_cancelled: {
      subject: 'Withdrawal cancelled',
      lead: 'It was taken back before anything was sent. Your coins are available again:',
    },
  },
  place: (address, network) => `${address} on ${network}`,
  destination: (what, place) => `${what} to ${place}`,
  transaction: (hash) => `Transaction ${hash}`,
  reference: (id) => `Withdrawal ${id}`,
  newAddress: {
    subject: 'A new address in your address book',
    from: (time) => `It can be used from ${time}.`,
  },
  securityChange: {
    subject: 'Your sign-in was changed',
    changed: (what) => `Changed: ${what}.`,
    rest: (time) => `Withdrawals rest until ${time}.`,
    what: {
      'recovery code used': 'a recovery code was used to sign in',
      'recovery codes renewed': 'new recovery codes, the old ones are void',
    },
  },
  verification: { subject: 'Is this your address?', lead: 'Open this link to say yes:' },
  passwordReset: { subject: 'A new password', lead: 'Open this link to choose one:' },
  factorReset: {
    askedSubject: 'Have you lost your second factor?',
    asked: 'Somebody who knows your password asked to remove your second factors. If it was you, open this link:',
    begunSubject: 'Your second factors will be removed',
    begun: (time) =>
      `You asked us to remove every second factor of your account. It happens at your first sign-in after ${time}.`,
    stop: 'If it was not you: sign in with your second factor, which stops it, and change your password.',
  },
  notAsked: 'If you did not ask for it, do nothing.',
};

const de: NoticeWords = {
  hello: (name) => `Guten Tag ${name},`,
  notYou: 'Waren Sie das nicht, ändern Sie sofort Ihr Passwort: Auszahlungen ruhen dann.',
  withdrawal: {
    withdrawal_requested: { subject: 'Auszahlung angefordert', lead: 'Wir haben Ihren Auftrag:' },
    withdrawal_needs_approval: {
      subject: 'Auszahlung wird geprüft',
      lead: 'Zuerst sieht sich ein Mensch Ihren Auftrag an:',
    },
    withdrawal_sent: { subject: 'Auszahlung unterwegs', lead: 'Ihre Auszahlung ist unterwegs:' },
    withdrawal_completed: { subject: 'Auszahlung abgeschlossen', lead: 'Ihre Auszahlung ist angekommen:' },
    withdrawal_failed: {
      subject: 'Auszahlung nicht möglich',
      lead: 'Nichts wurde gesendet, und Ihre Coins sind wieder verfügbar:',
    },
    withdrawal_rejected: {
      subject: 'Auszahlung abgelehnt',
      lead: 'Sie wurde nicht freigegeben. Ihre Coins sind wieder verfügbar:',
    },
    withdrawal_cancelled: {
      subject: 'Auszahlung storniert',
      lead: 'Sie wurde zurückgenommen, bevor etwas gesendet war. Ihre Coins sind wieder verfügbar:',
    },
  },
  place: (address, network) => `${address} auf ${network}`,
  destination: (what, place) => `${what} an ${place}`,
  transaction: (hash) => `Transaktion ${hash}`,
  reference: (id) => `Auszahlung ${id}`,
  newAddress: {
    subject: 'Eine neue Adresse in Ihrem Adressbuch',
    from: (time) => `Nutzbar ab ${time}.`,
  },
  securityChange: {
    subject: 'Ihre Anmeldung wurde geändert',
    changed: (what) => `Geändert: ${what}.`,
    rest: (time) => `Auszahlungen ruhen bis ${time}.`,
    what: {
      password: 'das Passwort',
      'authenticator added': 'eine Authenticator-App ist dazugekommen',
      'authenticator removed': 'die Authenticator-App wurde entfernt',
      'passkey added': 'ein Passkey ist dazugekommen',
      'passkey removed': 'ein Passkey wurde entfernt',
      'recovery code used': 'ein Wiederherstellungscode wurde zur Anmeldung benutzt',
      'recovery codes renewed': 'neue Wiederherstellungscodes, die alten gelten nicht mehr',
    },
  },
  verification: { subject: 'Ist das Ihre Adresse?', lead: 'Öffnen Sie diesen Link, wenn ja:' },
  passwordReset: { subject: 'Ein neues Passwort', lead: 'Öffnen Sie diesen Link, um eines zu wählen:' },
  factorReset: {
    askedSubject: 'Haben Sie Ihren zweiten Faktor verloren?',
    asked:
      'Jemand, der Ihr Passwort kennt, möchte Ihre zweiten Faktoren entfernen lassen. Waren Sie es, öffnen Sie diesen Link:',
    begunSubject: 'Ihre zweiten Faktoren werden entfernt',
    begun: (time) =>
      `Sie haben uns gebeten, jeden zweiten Faktor Ihres Kontos zu entfernen. Es geschieht bei Ihrer ersten Anmeldung nach ${time}.`,
    stop: 'Waren Sie das nicht: Melden Sie sich mit Ihrem zweiten Faktor an, das hält es an, und ändern Sie Ihr Passwort.',
  },
  notAsked: 'Haben Sie ihn nicht verlangt, tun Sie nichts.',
};

export const NOTICE_WORDS: Readonly<Record<Language, NoticeWords>> = { en, de };
