'use client';

import { useRef, useState } from 'react';
import type { SecondFactorAnswer, SecondFactorMethod, SecondFactorQuestion } from '#domain/second-factor.ts';
import { signWithPasskey } from '../_session/sign-with-passkey.ts';
import type { SecondFactorWords } from '../_words/en-second-factor.ts';
import { EntryForm } from './entry-form.tsx';
import { MethodChoice } from './method-choice.tsx';
import { Reference } from './reference.tsx';
import { clockTime, dayTime } from './time-text.tsx';
import { CONTROL, describedBy, Field } from './ui/field.tsx';
import { Notice } from './ui/notice.tsx';

/** What became of an answer; null when the form is left behind by it. */
export type SecondFactorProblem =
  | { kind: 'wrong' | 'expired' | 'silent'; reference: string | null }
  | { kind: 'locked'; until: string }
  | null;

/** What a refused answer means to the form. */
export function problemOfRefusal(refusal: {
  code: string;
  detail: string | null;
  reference: string | null;
}): SecondFactorProblem {
  const { code, detail, reference } = refusal;
  if (code === 'step_up_locked') return { kind: 'locked', until: detail ?? new Date().toISOString() };
  return { kind: code === 'second_factor_expired' ? 'expired' : 'wrong', reference };
}

type SecondFactorFormProps = {
  question: SecondFactorQuestion;
  words: SecondFactorWords;
  unreachable: string;
  onAnswer: (answer: SecondFactorAnswer) => Promise<SecondFactorProblem>;
};

/** Asks for one of a person's second factors: a code, a recovery code, or the press of a passkey. */
export function SecondFactorForm({ question, words, unreachable, onAnswer }: SecondFactorFormProps) {
  const [method, setMethod] = useState<SecondFactorMethod>(question.methods[0] ?? 'totp');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [reference, setReference] = useState<string | null>(null);
  const [lockedUntil, setLockedUntil] = useState(question.lockedUntil);
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const isCode = method === 'totp';

  const read = async (): Promise<SecondFactorAnswer | string> => {
    if (method === 'passkey') {
      const signed = question.passkey === null ? null : await signWithPasskey(question.passkey);
      return signed === null ? words.passkeyFailed : { kind: 'passkey', answer: signed };
    }
    if (isCode && !/^\d{6}$/.test(text.replace(/\s/g, ''))) return words.codeMissing;
    if (text.trim() === '') return words.recoveryMissing;
    return { kind: method, code: text };
  };

  const submit = async () => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(null);
    setReference(null);
    const answer = await read();
    const outcome = typeof answer === 'string' ? answer : await onAnswer(answer);
    // Left behind: the button stays busy until the next page is there.
    if (outcome === null) return;
    running.current = false;
    setBusy(false);
    if (typeof outcome === 'string') setProblem(outcome);
    else if (outcome.kind === 'locked') setLockedUntil(outcome.until);
    else {
      setText('');
      setReference(outcome.reference);
      setProblem({ wrong: words.wrong, expired: words.expired, silent: unreachable }[outcome.kind]);
    }
    document.getElementById('second-factor')?.focus();
  };

  if (lockedUntil !== null) {
    return (
      <div role="alert">
        <Notice tone="warn" title={words.locked(clockTime(lockedUntil))} />
      </div>
    );
  }
  return (
    <EntryForm busy={busy} label={busy ? words.busy : words.submit} onSubmit={submit}>
      {question.resetDueAt !== null && <Notice tone="warn" title={words.resetWaits(dayTime(question.resetDueAt))} />}
      <MethodChoice
        name="second-factor-method"
        legend={words.method}
        methods={question.methods}
        labels={words}
        chosen={method}
        onChoose={(next) => {
          setMethod(next);
          setText('');
          setProblem(null);
        }}
      />
      {method === 'passkey' ? (
        <div className="space-y-1.5 text-sm">
          <p>{words.passkeyHint}</p>
          <p role="alert" className="text-bad">
            {problem}
          </p>
        </div>
      ) : (
        <Field
          id="second-factor"
          label={isCode ? words.code : words.recoveryCode}
          hint={isCode ? words.codeHint : words.recoveryHint}
          error={problem}
        >
          <input
            id="second-factor"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(null);
            }}
            inputMode={isCode ? 'numeric' : 'text'}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={isCode ? 9 : 20}
            aria-invalid={problem !== null}
            aria-describedby={describedBy('second-factor', { hint: true, error: problem !== null })}
            className={`${CONTROL} max-w-56 font-mono ${isCode ? 'text-xl tracking-[0.3em]' : ''}`}
          />
        </Field>
      )}
      <Reference id={reference} />
    </EntryForm>
  );
}
