'use client';

import Link from 'next/link';
import { useState } from 'react';
import { EntryForm } from '../../_components/entry-form.tsx';
import { Reference } from '../../_components/reference.tsx';
import { ButtonLink } from '../../_components/ui/button.tsx';
import { Notice } from '../../_components/ui/notice.tsx';
import { askAuth } from '../../_session/ask-auth.ts';
import { useEntryWords } from '../../_words/use-entry-words.ts';
import { TextField } from './text-field.tsx';
import { useDeed } from './use-deed.ts';

const PASSWORD_MIN = 12; // As the server asks for.

/** Sets a new password by the token of a mail, once. */
export function ResetPasswordForm({ token }: { token: string }) {
  const words = useEntryWords();
  const { reset, signUp } = words;
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [reference, setReference] = useState<string | null>(null);
  const [end, setEnd] = useState<'done' | 'broken' | null>(token === '' ? 'broken' : null);
  const { busy, run } = useDeed();
  const submit = () =>
    run(async () => {
      if (password.length < PASSWORD_MIN) return setProblem(signUp.passwordShort);
      const answer = await askAuth('reset-password', { newPassword: password, token });
      if (answer.kind === 'done') return setEnd('done');
      if (answer.kind === 'refused') return setEnd('broken');
      setProblem(answer.kind === 'too_often' ? words.tooOften : words.unreachable);
      setReference(answer.reference);
    });
  if (end === 'done') {
    return (
      <div role="status">
        <Notice tone="good" title={reset.doneTitle}>
          <p>{reset.done}</p>
          <ButtonLink href="/sign-in" variant="primary">
            {signUp.signIn}
          </ButtonLink>
        </Notice>
      </div>
    );
  }
  if (end === 'broken') {
    return (
      <div role="status">
        <Notice tone="warn" title={reset.brokenTitle}>
          <p>{reset.broken}</p>
          <Link
            href="/forgot-password"
            prefetch={false}
            className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center text-accent underline"
          >
            {reset.again}
          </Link>
        </Notice>
      </div>
    );
  }
  return (
    <EntryForm busy={busy} label={reset.submit} onSubmit={submit}>
      <TextField
        id="password"
        type="password"
        label={signUp.password}
        hint={signUp.passwordHint}
        autoComplete="new-password"
        value={password}
        error={problem}
        onChange={(text) => {
          setPassword(text);
          setProblem(null);
          setReference(null);
        }}
      />
      <Reference id={reference} />
    </EntryForm>
  );
}
