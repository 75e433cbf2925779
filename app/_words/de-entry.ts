import { deSecondFactor } from './de-second-factor.ts';
import type { EntryWords } from './en-entry.ts';

/** Die Wörter vor der Anmeldung. */
export const deEntry: EntryWords = {
  signUp: {
    title: 'Konto eröffnen',
    lead: 'Eine Adresse, ein Passwort. Einen zweiten Faktor können Sie später ergänzen.',
    name: 'Ihr Name',
    email: 'E-Mail',
    password: 'Passwort',
    passwordHint: 'Mindestens 12 Zeichen. Ein paar Wörter, die nur Sie so verbinden, sind besser als eines mit Tricks.',
    submit: 'Konto eröffnen',
    busy: 'Wird eröffnet…',
    problem: 'Das Konto ist noch nicht offen',
    nameMissing: 'Schreiben Sie Ihren Namen.',
    emailMissing: 'Schreiben Sie Ihre E-Mail-Adresse.',
    passwordShort: 'Nehmen Sie mindestens 12 Zeichen.',
    refused:
      'Das hat nicht geklappt. Wenn Sie mit dieser Adresse schon ein Konto haben, melden Sie sich an oder fordern Sie ein neues Passwort an.',
    already: 'Sie haben ein Konto?',
    signIn: 'Anmelden',
  },
  forgot: {
    title: 'Neues Passwort',
    lead: 'Wir schicken einen Link an Ihre Adresse, mit dem Sie ein neues wählen.',
    submit: 'Link schicken',
    sentTitle: 'Sehen Sie in Ihre Post',
    sent: 'Wenn zu dieser Adresse ein Konto gehört, ist ein Link unterwegs. Er gilt eine Stunde.',
    back: 'Zurück zur Anmeldung',
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: 'Sie werden damit überall abgemeldet, und Auszahlungen ruhen 24 Stunden.',
    submit: 'Passwort setzen',
    doneTitle: 'Ihr Passwort ist gesetzt',
    done: 'Melden Sie sich damit an. Auszahlungen ruhen 24 Stunden.',
    brokenTitle: 'Dieser Link gilt nicht mehr',
    broken: 'Er wurde schon benutzt, oder er ist älter als eine Stunde. Fordern Sie einen neuen an.',
    again: 'Neuen Link anfordern',
  },
  verify: {
    title: 'Ist das Ihre Adresse?',
    lead: 'Drücken Sie den Knopf und bestätigen Sie, dass Sie diese Post lesen.',
    submit: 'Ja, bestätigen',
    doneTitle: 'Bestätigt',
    done: 'Vielen Dank.',
    go: 'Weiter',
    brokenTitle: 'Dieser Link gilt nicht mehr',
    broken: 'Fordern Sie auf der Seite Sicherheit einen neuen an.',
  },
  lostFactor: {
    title: 'Verlorene zweite Faktoren entfernen',
    lead: 'Für alle, die Telefon, Passkeys und Wiederherstellungscodes verloren haben.',
    more: 'Wenn Sie drücken, beginnt eine Wartezeit von drei Tagen. Danach meldet Ihr Passwort allein Sie an, und jeder zweite Faktor ist weg; Auszahlungen ruhen dann 24 Stunden.',
    submit: 'Ja, Wartezeit beginnen',
    waitsTitle: 'Die Wartezeit läuft',
    waits: (time) =>
      `Melden Sie sich nach ${time} mit Ihrem Passwort an. Eine Anmeldung mit einem zweiten Faktor hält es vorher an.`,
    broken:
      'Er ist älter als eine Stunde, wurde durch einen neueren ersetzt oder angehalten. Melden Sie sich mit Ihrem Passwort an, um einen neuen anzufordern.',
  },
  secondFactor: deSecondFactor,
  unreachable: 'Wir waren nicht zu erreichen. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
  tooOften: 'Zu viele Versuche. Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
};
