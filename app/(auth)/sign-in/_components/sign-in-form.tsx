'use client';

import Link from 'next/link';
import { useRef, useState } from 'react';
import { ErrorSummary, type FieldProblem } from '../../../_components/error-summary.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { useWords } from '../../../_words/use-words.ts';

const DEADLINE_MS = 12_000; // A password check is slow on purpose; longer than this nobody answers.

export function SignInForm({ returnTo }: { returnTo: string }) {
  const { signIn } = useWords();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [busy, setBusy] = useState(false);
  const submitting = useRef(false);
  const problemOf = (id: string) => problems.find((problem) => problem.id === id)?.message ?? null;

  const ask = async (): Promise<FieldProblem[] | 'done'> => {
    const missing: FieldProblem[] = [];
    if (email.trim() === '') missing.push({ id: 'email', message: signIn.emailMissing });
    if (password === '') missing.push({ id: 'password', message: signIn.passwordMissing });
    if (missing.length > 0) return missing;
    try {
      const response = await fetch('/api/auth/sign-in/email', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: email.trim(), password }),
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      if (response.ok) return 'done';
      if (response.status === 429) return [{ id: 'email', message: signIn.tooOften }];
      // One sentence for both, so that nobody learns which addresses have an account.
      if (response.status < 500) return [{ id: 'email', message: signIn.wrong }];
    } catch {
      // Told below: sign-in can be repeated without harm.
    }
    return [{ id: 'email', message: signIn.unreachable }];
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
    setProblems(result);
    setAttempt((count) => count + 1);
    submitting.current = false;
    setBusy(false);
  };

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
