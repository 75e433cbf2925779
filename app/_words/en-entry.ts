import { enSecondFactor } from './en-second-factor.ts';

/** The words before sign-in: opening an account, and getting back into one. */
export const enEntry = {
  signUp: {
    title: 'Open an account',
    lead: 'One address, one password. You can add a second factor later.',
    name: 'Your name',
    email: 'Email',
    password: 'Password',
    passwordHint: 'At least 12 characters. A few words that only you combine are better than one with tricks.',
    submit: 'Open account',
    busy: 'Opening…',
    problem: 'The account is not open yet',
    nameMissing: 'Write your name.',
    emailMissing: 'Write your email.',
    passwordShort: 'Take at least 12 characters.',
    refused: 'This did not work. If you have an account with this address already, sign in or ask for a new password.',
    already: 'You have an account?',
    signIn: 'Sign in',
  },
  forgot: {
    title: 'New password',
    lead: 'We send a link to your address with which you choose a new one.',
    submit: 'Send the link',
    sentTitle: 'Look into your mail',
    sent: 'If an account has this address, a link is on its way. It works for an hour.',
    back: 'Back to sign-in',
  },
  reset: {
    title: 'Choose a new password',
    lead: 'You are signed out everywhere with it, and withdrawals rest for 24 hours.',
    submit: 'Set password',
    doneTitle: 'Your password is set',
    done: 'Sign in with it. Withdrawals rest for 24 hours.',
    brokenTitle: 'This link does not work any more',
    broken: 'It was used before, or it is older than an hour. Ask for a new one.',
    again: 'Ask for a new link',
  },
  verify: {
    title: 'Is this your address?',
    lead: 'Press the button to confirm that you read this mail.',
    submit: 'Yes, confirm',
    doneTitle: 'Confirmed',
    done: 'Thank you.',
    go: 'Go on',
    brokenTitle: 'This link does not work any more',
    broken: 'Ask for a new one on the security page.',
  },
  lostFactor: {
    title: 'Remove lost second factors',
    lead: 'For whoever lost their phone, their passkeys and their recovery codes.',
    more: 'A wait of three days begins when you press. After it, your password alone signs you in and every second factor is gone; withdrawals then rest for 24 hours.',
    submit: 'Yes, begin the wait',
    waitsTitle: 'The wait has begun',
    waits: (time: string) =>
      `Sign in with your password after ${time}. Signing in with a second factor before that stops it.`,
    broken:
      'It is older than an hour, was replaced by a newer one, or was stopped. Sign in with your password to ask for a new one.',
  },
  secondFactor: enSecondFactor,
  unreachable: 'We could not be reached. Check your connection and try again.',
  tooOften: 'Too many attempts. Wait a minute and try again.',
};

export type EntryWords = typeof enEntry;
