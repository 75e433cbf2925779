import { useState } from 'react';
import type { SecondFactorAnswer, SecondFactorQuestion } from '#domain/second-factor.ts';
import { Reference } from '../../../_components/reference.tsx';
import {
  problemOfRefusal,
  SecondFactorForm,
  type SecondFactorProblem,
} from '../../../_components/second-factor-form.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { readApiError, readReference } from '../../../_trpc/read-api-error.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useSecurityDeed } from './use-security-deed.ts';

type Stage = { kind: 'rest' } | { kind: 'ask'; question: SecondFactorQuestion } | { kind: 'codes'; codes: string[] };

/** How many recovery codes are left, and new ones for a second factor. */
export function RecoveryCard({ codesLeft }: { codesLeft: number }) {
  const { security: words, secondFactor } = useAccountWords();
  const client = useTRPCClient();
  const [stage, setStage] = useState<Stage>({ kind: 'rest' });
  const { busy, problem, reference, run } = useSecurityDeed();
  const begin = () =>
    run(async () => {
      const question = await client.security.beginCheck.mutate();
      if (question !== null) setStage({ kind: 'ask', question });
    });
  const renew = async (challengeId: string, answer: SecondFactorAnswer): Promise<SecondFactorProblem> => {
    try {
      const { recoveryCodes } = await client.security.renewRecoveryCodes.mutate({ challengeId, answer });
      setStage({ kind: 'codes', codes: recoveryCodes });
      return null;
    } catch (error) {
      const said = readApiError(error);
      const reference = readReference(error);
      if (said.kind === 'silent') return { kind: 'silent', reference };
      return problemOfRefusal({ ...said.refusal, reference });
    }
  };
  return (
    <Card className="space-y-4" aria-labelledby="recovery-title">
      <div className="space-y-1">
        <h2 id="recovery-title" className="font-semibold">
          {words.codes}
        </h2>
        <p className="text-muted text-sm">{words.codesMore}</p>
        <p className="text-sm">{words.codesLeft(codesLeft)}</p>
      </div>
      {stage.kind === 'rest' && (
        <Button busy={busy} onClick={begin}>
          {words.codesRenew}
        </Button>
      )}
      {stage.kind === 'ask' && (
        <>
          <p className="text-sm">{words.codesRenewMore}</p>
          <SecondFactorForm
            question={stage.question}
            words={secondFactor}
            unreachable={words.failed}
            onAnswer={(answer) => renew(stage.question.challengeId, answer)}
          />
          <Button onClick={() => setStage({ kind: 'rest' })}>{words.cancel}</Button>
        </>
      )}
      {stage.kind === 'codes' && (
        <RecoveryCodes
          codes={stage.codes}
          onDone={() => {
            setStage({ kind: 'rest' });
            // The count of what is left is asked for anew.
            run(async () => undefined);
          }}
        />
      )}
      {problem !== null && (
        <div role="alert">
          <p className="text-bad text-sm">{problem}</p>
          <Reference id={reference} />
        </div>
      )}
    </Card>
  );
}
