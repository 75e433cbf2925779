import { useId, useRef } from 'react';
import { clockTime } from '../../../_components/time-text.tsx';
import { Button, ButtonLink } from '../../../_components/ui/button.tsx';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { DeedStepUpState } from './use-deed-step-up.ts';

/** Asks for the code or passkey that confirms exactly this deed. */
export function DeedStepUp({ stepUp }: { stepUp: DeedStepUpState }) {
  const { stepUp: words } = useRoomWords();
  const id = useId();
  const { need, method } = stepUp;
  const field = useRef<HTMLInputElement>(null);
  if (need === null) return null;
  if (need.lockedUntil !== null) return <p className="text-warn">{words.locked(clockTime(need.lockedUntil))}</p>;
  if (need.methods.length === 0) {
    return (
      <p className="text-warn">
        {words.missing}{' '}
        <ButtonLink href="/security" variant="quiet" size="small">
          {words.setUp}
        </ButtonLink>
      </p>
    );
  }
  const { demo } = need;
  return (
    <>
      {method === 'totp' ? (
        <Field id={id} label={words.code} hint={words.hint}>
          <input
            ref={field}
            id={id}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={9}
            aria-describedby={`${id}-hint`}
            className={`${CONTROL} font-mono tracking-[0.2em]`}
          />
        </Field>
      ) : (
        <p className="text-muted">{words.passkeyHint}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {method === 'totp' && demo !== null && demo.code === null && (
          <p className="text-muted">{words.demoWait(demo.waitSeconds)}</p>
        )}
        {method === 'totp' && demo?.code != null && (
          <Button
            size="small"
            onClick={() => {
              if (field.current !== null) field.current.value = demo.code ?? '';
            }}
          >
            {words.demoCode(demo.code)}
          </Button>
        )}
        {need.methods.length > 1 && (
          <Button size="small" variant="quiet" onClick={() => stepUp.choose(method === 'totp' ? 'passkey' : 'totp')}>
            {method === 'totp' ? words.choosePasskey : words.chooseCode}
          </Button>
        )}
      </div>
    </>
  );
}
