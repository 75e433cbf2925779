import { ShieldCheck } from 'lucide-react';
import { MethodChoice } from '../../../_components/method-choice.tsx';
import { Reference } from '../../../_components/reference.tsx';
import { clockTime } from '../../../_components/time-text.tsx';
import { ButtonLink } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { useWords } from '../../../_words/use-words.ts';
import type { StepUpState } from './use-step-up.ts';

/** Asks for the code or passkey that confirms exactly the values above; nothing where none is needed. */
export function StepUpPanel({ stepUp, onEnter }: { stepUp: StepUpState; onEnter: () => void }) {
  const { stepUp: words } = useWords();
  const { need } = stepUp;
  if (need === null || need.reasons.length === 0) return null;
  if (need.lockedUntil !== null) return <Notice tone="warn" title={words.locked(clockTime(need.lockedUntil))} />;
  if (need.methods.length === 0) {
    return (
      <Notice tone="warn" title={words.missing}>
        <p>{words.missingMore}</p>
        <ButtonLink href="/security" variant="primary">
          {words.setUp}
        </ButtonLink>
      </Notice>
    );
  }
  return (
    <Card className="space-y-4">
      <div className="space-y-1">
        <h2 className="flex items-center gap-2 font-semibold">
          <ShieldCheck aria-hidden="true" className="size-5 text-accent" />
          {words.title}
        </h2>
        <p className="text-muted text-sm">
          {need.reasons.map((reason) => words.because[reason]).join(' ')} {words.bound}
        </p>
      </div>
      <MethodChoice
        name="step-up-method"
        legend={words.method}
        methods={need.methods}
        labels={words}
        chosen={stepUp.method}
        onChoose={stepUp.choose}
      />
      {stepUp.method === 'totp' ? (
        <CodeField stepUp={stepUp} onEnter={onEnter} />
      ) : (
        <p className="text-sm">{words.passkeyHint}</p>
      )}
      <div role="status">
        {stepUp.problem?.kind === 'passkey_failed' && <p className="text-bad text-sm">{words.passkeyFailed}</p>}
        <Reference id={stepUp.problem?.reference ?? null} />
      </div>
    </Card>
  );
}

function CodeField({ stepUp, onEnter }: { stepUp: StepUpState; onEnter: () => void }) {
  const { stepUp: words } = useWords();
  const isMissing = stepUp.problem?.kind === 'code_missing';
  return (
    <Field id="step-up-code" label={words.code} hint={words.codeHint} error={isMissing ? words.codeMissing : null}>
      <input
        id="step-up-code"
        value={stepUp.code}
        onChange={(event) => stepUp.type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.repeat) onEnter();
        }}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        aria-invalid={isMissing}
        aria-describedby={describedBy('step-up-code', { hint: true, error: isMissing })}
        className={`${CONTROL} max-w-56 font-mono text-xl tracking-[0.3em]`}
      />
    </Field>
  );
}
