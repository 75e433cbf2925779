/** By what somebody shows, beside their password or their session, that it is them. */
export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery_code';

/** What a browser is asked to let one of a person's passkeys sign. */
export interface PasskeyQuestion {
  challenge: string;
  rpId: string;
  allowCredentials: { id: string; type: string; transports: string[] }[];
  userVerification: 'required';
  timeout: number;
}

/** What somebody is asked for beside their password or their session. */
export interface SecondFactorQuestion {
  challengeId: string;
  methods: SecondFactorMethod[];
  passkey: PasskeyQuestion | null;
  /** After too many wrong codes; null where codes are looked at. */
  lockedUntil: string | null;
  /** When a reset of the second factors that was asked for takes effect; null where none waits. */
  resetDueAt: string | null;
}

/** What they answer. A passkey's answer is written as the browser writes it. */
export type SecondFactorAnswer =
  | { kind: 'totp' | 'recovery_code'; code: string }
  | {
      kind: 'passkey';
      answer: {
        id: string;
        rawId: string;
        response: {
          clientDataJSON: string;
          authenticatorData: string;
          signature: string;
          userHandle?: string | undefined;
        };
      };
    };
