'use client';

import { useEffect, useRef, useState } from 'react';
import type { SecondFactorQuestion } from '#domain/second-factor.ts';
import { Reference } from '../../../_components/reference.tsx';
import {
  problemOfRefusal,
  SecondFactorForm,
  type SecondFactorProblem,
} from '../../../_components/second-factor-form.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { answerSecondFactor, askFactorReset } from '../../../_session/ask-sign-in.ts';
import { useEntryWords } from '../../../_words/use-entry-words.ts';
import { useDeed } from '../../_components/use-deed.ts';

type SecondFactorStepProps = { question: SecondFactorQuestion; returnTo: string; onRestart: () => void };

/** The second half of signing in, for whoever has a second factor; and the way on for whoever has lost it. */
export function SecondFactorStep({ question, returnTo, onRestart }: SecondFactorStepProps) {
  const words = useEntryWords();
  const { secondFactor } = words;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [isLost, setIsLost] = useState(false);
  const answer = async (given: Parameters<typeof answerSecondFactor>[1]): Promise<SecondFactorProblem> => {
    const said = await answerSecondFactor(question.challengeId, given);
    if (said.kind === 'done') {
      // A full load, so that nothing of an earlier person is left in the page's memory.
      window.location.assign(returnTo);
      return null;
    }
    if (said.kind === 'refused') return problemOfRefusal(said);
    return { kind: 'silent', reference: said.kind === 'second_factor' ? null : said.reference };
  };
  return (
    <section className="space-y-4" aria-labelledby="second-factor-title">
      <div className="space-y-1">
        <h2 id="second-factor-title" ref={heading} tabIndex={-1} className="font-semibold text-lg">
          {secondFactor.title}
        </h2>
        <p className="text-muted text-sm">{secondFactor.lead}</p>
      </div>
      <SecondFactorForm question={question} words={secondFactor} unreachable={words.unreachable} onAnswer={answer} />
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="quiet" size="small" onClick={onRestart}>
          {secondFactor.startAgain}
        </Button>
        <Button variant="quiet" size="small" aria-expanded={isLost} onClick={() => setIsLost(!isLost)}>
          {secondFactor.lost}
        </Button>
      </div>
      {isLost && <LostFactor challengeId={question.challengeId} />}
    </section>
  );
}

function LostFactor({ challengeId }: { challengeId: string }) {
  const words = useEntryWords();
  const { secondFactor } = words;
  const [said, setSaid] = useState<string | null>(null);
  const [reference, setReference] = useState<string | null>(null);
  const { busy, run } = useDeed();
  const send = () =>
    run(async () => {
      const answer = await askFactorReset(challengeId);
      setReference(typeof answer === 'string' ? null : answer.reference);
      if (answer === 'sent') return setSaid(secondFactor.lostSent);
      if (answer === 'waits_already') return setSaid(secondFactor.lostWaits);
      if (answer.kind === 'too_often') return setSaid(words.tooOften);
      setSaid(answer.kind === 'refused' ? secondFactor.expired : words.unreachable);
    });
  return (
    <div className="space-y-3 rounded-xl bg-raised p-4 text-sm">
      <p>{secondFactor.lostMore}</p>
      <Button busy={busy} onClick={send}>
        {secondFactor.lostSend}
      </Button>
      <p role="status">{said}</p>
      <Reference id={reference} />
    </div>
  );
}
