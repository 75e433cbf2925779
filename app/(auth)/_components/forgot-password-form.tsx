'use client';

import Link from 'next/link';
import { useState } from 'react';
import { EntryForm } from '../../_components/entry-form.tsx';
import { ErrorSummary } from '../../_components/error-summary.tsx';
import { Reference } from '../../_components/reference.tsx';
import { Notice } from '../../_components/ui/notice.tsx';
import { askAuth } from '../../_session/ask-auth.ts';
import { useEntryWords } from '../../_words/use-entry-words.ts';
import { TextField } from './text-field.tsx';
import { useDeed } from './use-deed.ts';

/** Asks for a link. The answer is the same for every address, so that nobody learns which of them have an account. */
export function ForgotPasswordForm() {
  const words = useEntryWords();
  const { forgot, signUp } = words;
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [reference, setReference] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [sent, setSent] = useState(false);
  const { busy, run } = useDeed();
  const submit = () =>
    run(async () => {
      const answer = email.includes('@') ? await askAuth('request-password-reset', { email: email.trim() }) : null;
      if (answer?.kind === 'done' || answer?.kind === 'refused') return setSent(true);
      const message =
        answer === null ? signUp.emailMissing : answer.kind === 'too_often' ? words.tooOften : words.unreachable;
      setProblem(message);
      setReference(answer?.reference ?? null);
      setAttempt((count) => count + 1);
    });
  const back = (
    <Link
      href="/sign-in"
      prefetch={false}
      className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center text-accent text-sm underline"
    >
      {forgot.back}
    </Link>
  );
  if (sent) {
    return (
      <div className="space-y-4" role="status">
        <Notice tone="good" title={forgot.sentTitle}>
          <p>{forgot.sent}</p>
        </Notice>
        {back}
      </div>
    );
  }
  return (
    <EntryForm busy={busy} label={forgot.submit} onSubmit={submit} below={back}>
      <ErrorSummary
        title={signUp.emailMissing}
        problems={problem === null ? [] : [{ id: 'email', message: problem }]}
        attempt={attempt}
      />
      <TextField
        id="email"
        type="email"
        label={signUp.email}
        autoComplete="username"
        value={email}
        error={problem}
        onChange={(text) => {
          setEmail(text);
          setProblem(null);
          setReference(null);
        }}
      />
      <Reference id={reference} />
    </EntryForm>
  );
}
