'use client';

import { useState } from 'react';
import { Reference } from '../../_components/reference.tsx';
import { Button, ButtonLink } from '../../_components/ui/button.tsx';
import { Notice } from '../../_components/ui/notice.tsx';
import { type AuthAnswer, askAuth } from '../../_session/ask-auth.ts';
import { useEntryWords } from '../../_words/use-entry-words.ts';
import { useDeed } from './use-deed.ts';

/** Confirms an address by a press: mail programs open every link they find, and must confirm nothing by that. */
export function VerifyEmail({ token }: { token: string }) {
  const words = useEntryWords();
  const { verify } = words;
  const [answer, setAnswer] = useState<AuthAnswer | null>(token === '' ? { kind: 'refused', reference: null } : null);
  const { busy, run } = useDeed();
  const confirm = () =>
    run(async () => setAnswer(await askAuth(`verify-email?token=${encodeURIComponent(token)}`, null)));
  return (
    <div className="space-y-4" role="status">
      {answer?.kind === 'done' && (
        <Notice tone="good" title={verify.doneTitle}>
          <p>{verify.done}</p>
          <ButtonLink href="/" variant="primary">
            {verify.go}
          </ButtonLink>
        </Notice>
      )}
      {answer?.kind === 'refused' && (
        <Notice tone="warn" title={verify.brokenTitle}>
          <p>{verify.broken}</p>
        </Notice>
      )}
      {(answer?.kind === 'unreachable' || answer?.kind === 'too_often') && (
        <p className="text-bad text-sm">{answer.kind === 'too_often' ? words.tooOften : words.unreachable}</p>
      )}
      {answer?.kind !== 'done' && <Reference id={answer?.reference ?? null} />}
      {answer?.kind !== 'done' && answer?.kind !== 'refused' && (
        <Button variant="primary" size="large" busy={busy} onClick={confirm}>
          {verify.submit}
        </Button>
      )}
    </div>
  );
}
