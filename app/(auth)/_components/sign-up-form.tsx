'use client';

import Link from 'next/link';
import { useState } from 'react';
import { EntryForm } from '../../_components/entry-form.tsx';
import { ErrorSummary, type FieldProblem } from '../../_components/error-summary.tsx';
import { Reference } from '../../_components/reference.tsx';
import { askAuth } from '../../_session/ask-auth.ts';
import { useEntryWords } from '../../_words/use-entry-words.ts';
import { TextField } from './text-field.tsx';
import { useDeed } from './use-deed.ts';

const PASSWORD_MIN = 12; // As the server asks for.

export function SignUpForm() {
  const words = useEntryWords();
  const { signUp } = words;
  const [values, setValues] = useState({ name: '', email: '', password: '' });
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [reference, setReference] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { busy, run } = useDeed();
  const problemOf = (id: string) => problems.find((problem) => problem.id === id)?.message ?? null;
  const change = (changed: Partial<typeof values>) => {
    setValues((before) => ({ ...before, ...changed }));
    setProblems((before) => before.filter(({ id }) => !Object.hasOwn(changed, id)));
  };

  const ask = async (): Promise<FieldProblem[] | 'done'> => {
    setReference(null);
    const found: FieldProblem[] = [];
    if (values.name.trim() === '') found.push({ id: 'name', message: signUp.nameMissing });
    if (!values.email.includes('@')) found.push({ id: 'email', message: signUp.emailMissing });
    if (values.password.length < PASSWORD_MIN) found.push({ id: 'password', message: signUp.passwordShort });
    if (found.length > 0) return found;
    const { name, email, password } = values;
    const answer = await askAuth('sign-up/email', { name: name.trim(), email: email.trim(), password });
    if (answer.kind === 'done') return 'done';
    setReference(answer.reference);
    const message = { refused: signUp.refused, too_often: words.tooOften, unreachable: words.unreachable }[answer.kind];
    return [{ id: 'email', message }];
  };

  const submit = () =>
    run(async () => {
      const result = await ask();
      // A full load, so that nothing of an earlier person is left in the page's memory.
      if (result === 'done') return window.location.assign('/');
      setProblems(result);
      setAttempt((count) => count + 1);
    });

  return (
    <EntryForm
      busy={busy}
      label={busy ? signUp.busy : signUp.submit}
      onSubmit={submit}
      below={
        <p className="flex flex-wrap items-center gap-x-1.5 text-sm">
          {signUp.already}
          <Link
            href="/sign-in"
            prefetch={false}
            className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center text-accent underline"
          >
            {signUp.signIn}
          </Link>
        </p>
      }
    >
      <ErrorSummary title={signUp.problem} problems={problems} attempt={attempt} />
      <TextField
        id="name"
        label={signUp.name}
        autoComplete="name"
        value={values.name}
        error={problemOf('name')}
        onChange={(name) => change({ name })}
      />
      <TextField
        id="email"
        type="email"
        label={signUp.email}
        autoComplete="username"
        value={values.email}
        error={problemOf('email')}
        onChange={(email) => change({ email })}
      />
      <TextField
        id="password"
        type="password"
        label={signUp.password}
        hint={signUp.passwordHint}
        autoComplete="new-password"
        value={values.password}
        error={problemOf('password')}
        onChange={(password) => change({ password })}
      />
      {problems.length > 0 && <Reference id={reference} />}
    </EntryForm>
  );
}
