'use client';

import { useState } from 'react';
import { Reference } from '../../_components/reference.tsx';
import { dayTime } from '../../_components/time-text.tsx';
import { Button, ButtonLink } from '../../_components/ui/button.tsx';
import { Notice } from '../../_components/ui/notice.tsx';
import { startFactorReset } from '../../_session/start-factor-reset.ts';
import { useEntryWords } from '../../_words/use-entry-words.ts';
import { useDeed } from './use-deed.ts';

/** Begins the wait by a press: mail programs open every link they find, and must begin nothing by that. */
export function StartFactorReset({ token }: { token: string }) {
  const words = useEntryWords();
  const { lostFactor } = words;
  const [answer, setAnswer] = useState<Awaited<ReturnType<typeof startFactorReset>> | null>(
    token === '' ? { kind: 'refused' } : null,
  );
  const { busy, run } = useDeed();
  const start = () => run(async () => setAnswer(await startFactorReset(token)));
  return (
    <div className="space-y-4" role="status">
      {answer?.kind === 'waits' && (
        <Notice tone="good" title={lostFactor.waitsTitle}>
          <p>{lostFactor.waits(dayTime(answer.dueAt))}</p>
          <ButtonLink href="/sign-in" variant="primary">
            {words.signUp.signIn}
          </ButtonLink>
        </Notice>
      )}
      {answer?.kind === 'refused' && (
        <Notice tone="warn" title={words.verify.brokenTitle}>
          <p>{lostFactor.broken}</p>
          <ButtonLink href="/sign-in">{words.signUp.signIn}</ButtonLink>
        </Notice>
      )}
      {answer?.kind === 'unreachable' && (
        <>
          <p className="text-bad text-sm">{words.unreachable}</p>
          <Reference id={answer.reference} />
        </>
      )}
      {answer?.kind !== 'waits' && answer?.kind !== 'refused' && (
        <>
          <p>{lostFactor.more}</p>
          <Button variant="primary" size="large" busy={busy} onClick={start}>
            {lostFactor.submit}
          </Button>
        </>
      )}
    </div>
  );
}
