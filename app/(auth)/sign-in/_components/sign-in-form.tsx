'use client';

import Link from 'next/link';
import { useRef, useState } from 'react';
import type { SecondFactorQuestion } from '#domain/second-factor.ts';
import { EntryForm } from '../../../_components/entry-form.tsx';
import { ErrorSummary, type FieldProblem } from '../../../_components/error-summary.tsx';
import { Reference } from '../../../_components/reference.tsx';
import { askSignIn } from '../../../_session/ask-sign-in.ts';
import { useWords } from '../../../_words/use-words.ts';
import { TextField } from '../../_components/text-field.tsx';
import { SecondFactorStep } from './second-factor-step.tsx';

export function SignInForm({ returnTo }: { returnTo: string }) {
  const { signIn } = useWords();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [reference, setReference] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [question, setQuestion] = useState<SecondFactorQuestion | null>(null);
  const submitting = useRef(false);
  const problemOf = (id: string) => problems.find((problem) => problem.id === id)?.message ?? null;

  const ask = async (): Promise<FieldProblem[] | 'done' | SecondFactorQuestion> => {
    setReference(null);
    const missing: FieldProblem[] = [];
    if (email.trim() === '') missing.push({ id: 'email', message: signIn.emailMissing });
    if (password === '') missing.push({ id: 'password', message: signIn.passwordMissing });
    if (missing.length > 0) return missing;
    const answer = await askSignIn({ email: email.trim(), password });
    if (answer.kind === 'done') return 'done';
    if (answer.kind === 'second_factor') return answer.question;
    setReference(answer.reference);
    // One sentence for both, so that nobody learns which addresses have an account.
    const message = { refused: signIn.wrong, too_often: signIn.tooOften, unreachable: signIn.unreachable }[answer.kind];
    return [{ id: 'email', message }];
  };

  const submit = async () => {
    if (submitting.current) return;
    submitting.current = true;
    setBusy(true);
    const result = await ask();
    if (result === 'done') {
      // A full load, so that nothing of an earlier person is left in the page's memory. The button stays busy.
      window.location.assign(returnTo);
      return;
    }
    if (Array.isArray(result)) {
      setProblems(result);
      setAttempt((count) => count + 1);
    } else setQuestion(result);
    submitting.current = false;
    setBusy(false);
  };

  const restart = () => {
    setQuestion(null);
    setProblems([]);
    setPassword('');
  };
  if (question !== null) return <SecondFactorStep question={question} returnTo={returnTo} onRestart={restart} />;
  return (
    <EntryForm
      busy={busy}
      label={busy ? signIn.busy : signIn.submit}
      onSubmit={submit}
      below={
        <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm">
          <Link
            href="/forgot-password"
            prefetch={false}
            className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center text-accent underline"
          >
            {signIn.forgot}
          </Link>
          <span className="inline-flex min-h-8 pointer-coarse:min-h-11 flex-wrap items-center gap-x-1.5">
            {signIn.noAccount}
            <Link
              href="/sign-up"
              prefetch={false}
              className="inline-flex min-h-8 items-center pointer-coarse:min-h-11 text-accent underline"
            >
              {signIn.signUp}
            </Link>
          </span>
        </p>
      }
    >
      <ErrorSummary title={signIn.problem} problems={problems} attempt={attempt} />
      <TextField
        id="email"
        type="email"
        label={signIn.email}
        autoComplete="username"
        value={email}
        error={problemOf('email')}
        onChange={setEmail}
      />
      <TextField
        id="password"
        type="password"
        label={signIn.password}
        autoComplete="current-password"
        value={password}
        error={problemOf('password')}
        onChange={setPassword}
      />
      <Reference id={reference} />
    </EntryForm>
  );
}
