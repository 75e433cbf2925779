import type { SecondFactorWords } from './en-second-factor.ts';

/** Die Wörter, mit denen nach einem zweiten Faktor gefragt wird. */
export const deSecondFactor: SecondFactorWords = {
  title: 'Noch ein Schritt',
  lead: 'Ihr Konto hat einen zweiten Faktor. Ohne ihn öffnet das Passwort nichts.',
  method: 'Bestätigen mit',
  totp: 'Code der Authenticator-App',
  passkey: 'Passkey',
  recovery_code: 'Wiederherstellungscode',
  code: 'Code Ihrer Authenticator-App',
  codeHint: 'Sechs Ziffern. Jeder Code gilt einmal: Nach einem benutzten warten Sie auf den nächsten.',
  codeMissing: 'Schreiben Sie die sechs Ziffern, die Ihre Authenticator-App zeigt.',
  recoveryCode: 'Einer Ihrer Wiederherstellungscodes',
  recoveryHint: 'Von Ihrer Liste, etwa abcde-fgh23. Benutzt gilt er nicht mehr.',
  recoveryMissing: 'Schreiben Sie einen Ihrer Wiederherstellungscodes.',
  passkeyHint: 'Ihr Gerät fragt Sie, wenn Sie den Knopf drücken.',
  passkeyFailed: 'Ihr Gerät hat nicht bestätigt. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.',
  submit: 'Bestätigen',
  busy: 'Wird bestätigt…',
  wrong: 'Das bestätigt es nicht: Es ist falsch, zu alt oder wurde schon benutzt. Nehmen Sie einen neuen.',
  expired: 'Das hat zu lange gedauert. Beginnen Sie noch einmal.',
  locked: (time) => `Zu viele falsche Codes. Vor ${time} wird keiner angesehen.`,
  startAgain: 'Noch einmal beginnen',
  resetWaits: (time) =>
    `Jemand wollte Ihre zweiten Faktoren entfernen lassen. Bei Ihrer ersten Anmeldung nach ${time} sind sie weg. Bestätigen Sie jetzt mit einem, hält das es an.`,
  lost: 'Ich habe nichts davon mehr',
  lostMore:
    'Wir schicken einen Link an Ihre E-Mail-Adresse. Er beginnt eine Wartezeit von drei Tagen; danach meldet Ihr Passwort allein Sie an, und Auszahlungen ruhen 24 Stunden. Wer Ihren zweiten Faktor noch hat, kann es anhalten.',
  lostSend: 'Link schicken',
  lostSent: 'Sehen Sie in Ihre Post. Der Link gilt eine Stunde.',
  lostWaits: 'Die Wartezeit läuft schon. Melden Sie sich wieder an, wenn sie vorbei ist.',
};
