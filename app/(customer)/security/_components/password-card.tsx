import { useState } from 'react';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { askAuth } from '../../../_session/ask-auth.ts';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { useSecurityDeed } from './use-security-deed.ts';

/** A new password for the present one. Every other session ends with it. */
export function PasswordCard() {
  const { security: words } = useAccountWords();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [done, setDone] = useState(false);
  const { busy, problem, reference, run, say } = useSecurityDeed();
  const submit = () =>
    run(async () => {
      setDone(false);
      const asked = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
      const answer = await askAuth('change-password', asked);
      if (answer.kind !== 'done') {
        return say(answer.kind === 'refused' ? words.passwordNotChanged : words.failed, answer.reference);
      }
      setCurrent('');
      setNext('');
      setDone(true);
    });
  return (
    <Card>
      <form
        noValidate
        method="post"
        className="space-y-4"
        aria-labelledby="password-title"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 id="password-title" className="font-semibold">
          {words.changePassword}
        </h2>
        <Field id="current-password" label={words.password} error={problem}>
          <input
            id="current-password"
            type="password"
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
            aria-invalid={problem !== null}
            aria-describedby={describedBy('current-password', { error: problem !== null })}
            className={CONTROL}
          />
        </Field>
        <Field id="new-password" label={words.newPassword} hint={words.passwordHint}>
          <input
            id="new-password"
            type="password"
            autoComplete="new-password"
            value={next}
            onChange={(event) => setNext(event.target.value)}
            aria-describedby={describedBy('new-password', { hint: true })}
            className={CONTROL}
          />
        </Field>
        <Reference id={reference} />
        <Button type="submit" busy={busy}>
          {words.changePassword}
        </Button>
        <div role="status">{done && <Notice tone="good" title={words.passwordChanged} />}</div>
      </form>
    </Card>
  );
}
