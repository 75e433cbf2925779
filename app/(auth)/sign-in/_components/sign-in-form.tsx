'use client';

import Link from 'next/link';
import { useRef, useState } from 'react';
import type { SecondFactorQuestion } from '#server/auth/begin-second-factor.ts';
import { ErrorSummary, type FieldProblem } from '../../../_components/error-summary.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { askSignIn } from '../../../_session/ask-sign-in.ts';
import { useWords } from '../../../_words/use-words.ts';
import { SecondFactorStep } from './second-factor-step.tsx';

export function SignInForm({ returnTo }: { returnTo: string }) {
  const { signIn } = useWords();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const [question, setQuestion] = useState<SecondFactorQuestion | null>(null);
  const submitting = useRef(false);
  const problemOf = (id: string) => problems.find((problem) => problem.id === id)?.message ?? null;

  const ask = async (): Promise<FieldProblem[] | 'done' | SecondFactorQuestion> => {
    const missing: FieldProblem[] = [];
    if (email.trim() === '') missing.push({ id: 'email', message: signIn.emailMissing });
    if (password === '') missing.push({ id: 'password', message: signIn.passwordMissing });
    if (missing.length > 0) return missing;
    const answer = await askSignIn({ email: email.trim(), password });
    if (answer.kind === 'done') return 'done';
    if (answer.kind === 'second_factor') return answer.question;
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
    <form
      noValidate
      method="post"
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ErrorSummary title={signIn.problem} problems={problems} attempt={attempt} />
      <Field id="email" label={signIn.email} error={problemOf('email')}>
        <input
          id="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          aria-invalid={problemOf('email') !== null}
          aria-describedby={describedBy('email', { error: problemOf('email') !== null })}
          className={CONTROL}
        />
      </Field>
      <Field id="password" label={signIn.password} error={problemOf('password')}>
        <input
          id="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          aria-invalid={problemOf('password') !== null}
          aria-describedby={describedBy('password', { error: problemOf('password') !== null })}
          className={CONTROL}
        />
      </Field>
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {busy ? signIn.busy : signIn.submit}
      </Button>
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm">
        <Link
          href="/forgot-password"
          prefetch={false}
          className="inline-flex min-h-8 items-center text-accent underline"
        >
          {signIn.forgot}
        </Link>
        <span className="inline-flex min-h-8 flex-wrap items-center gap-x-1.5">
          {signIn.noAccount}
          <Link href="/sign-up" prefetch={false} className="text-accent underline">
            {signIn.signUp}
          </Link>
        </span>
      </p>
    </form>
  );
}
