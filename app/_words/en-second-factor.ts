/** The words in which a second factor is asked for, at sign-in and before a change of security. */
export const enSecondFactor = {
  title: 'One more step',
  lead: 'Your account has a second factor. Without it the password opens nothing.',
  method: 'Confirm with',
  totp: 'Authenticator code',
  passkey: 'Passkey',
  recovery_code: 'Recovery code',
  code: 'Code of your authenticator',
  codeHint: 'Six digits. Each code is taken once: after one was used, wait for the next.',
  codeMissing: 'Write the six digits that your authenticator shows.',
  recoveryCode: 'One of your recovery codes',
  recoveryHint: 'From your list, such as abcde-fgh23. It is void once it was used.',
  recoveryMissing: 'Write one of your recovery codes.',
  passkeyHint: 'Your device asks you when you press the button.',
  passkeyFailed: 'Your device did not confirm it. Try again, or choose another way.',
  submit: 'Confirm',
  busy: 'Confirming…',
  wrong: 'This does not confirm it: it is wrong, too old, or was used before. Take a new one.',
  expired: 'This took too long. Start again.',
  locked: (time: string) => `Too many wrong codes. None is looked at before ${time}.`,
  startAgain: 'Start again',
  resetWaits: (time: string) =>
    `Somebody asked to remove your second factors. At your first sign-in after ${time} they are gone. Confirming with one now stops that.`,
  lost: 'I have none of these any more',
  lostMore:
    'We send a link to your email. It begins a wait of three days; after that your password alone signs you in, and withdrawals rest for 24 hours. Whoever still has your second factor can stop it.',
  lostSend: 'Send the link',
  lostSent: 'Look into your mail. The link works for an hour.',
  lostWaits: 'The wait is under way already. Sign in again when it is over.',
};

export type SecondFactorWords = typeof enSecondFactor;
