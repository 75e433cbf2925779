import { useState } from 'react';
import { TimeText } from '../../../_components/time-text.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import type { SecurityView } from '../../../_trpc/api-types.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { OneLineForm } from './one-line-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useSecurityDeed } from './use-security-deed.ts';

type Passkey = SecurityView['passkeys'][number];

/** The passkeys of a person: added with the password, taken away with it. */
export function PasskeyCard({ passkeys }: { passkeys: Passkey[] }) {
  const { security: words } = useAccountWords();
  const client = useTRPCClient();
  const [adding, setAdding] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const [label, setLabel] = useState(words.passkeyDefault);
  const { busy, problem, reference, run, say } = useSecurityDeed();
  const stop = () => {
    say(null);
    setAdding(false);
  };
  const add = (password: string) =>
    run(async () => {
      const { browserSupportsWebAuthn, startRegistration } = await import('@simplewebauthn/browser');
      if (!browserSupportsWebAuthn()) return say(words.passkeyUnsupported);
      const { challengeId, options } = await client.security.beginPasskey.mutate({ password });
      const made = await startRegistration({ optionsJSON: options }).catch(() => null);
      if (made === null) return say(words.passkeyFailed);
      const { clientDataJSON, attestationObject, transports = [] } = made.response;
      const { recoveryCodes } = await client.security.finishPasskey.mutate({
        challengeId,
        label: label.trim() || words.passkeyDefault,
        answer: { id: made.id, rawId: made.rawId, response: { clientDataJSON, attestationObject, transports } },
      });
      setAdding(false);
      setCodes(recoveryCodes);
    });
  return (
    <Card className="space-y-4" aria-labelledby="passkeys-title">
      <div className="space-y-1">
        <h2 id="passkeys-title" className="font-semibold">
          {words.passkeys}
        </h2>
        <p className="text-muted text-sm">{words.passkeysLead}</p>
      </div>
      {passkeys.length === 0 && <p className="text-sm">{words.passkeyNone}</p>}
      <ul className="space-y-3">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.passkeyId} passkey={passkey} />
        ))}
      </ul>
      {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      {adding ? (
        <OneLineForm
          id="passkey-password"
          kind="password"
          label={words.password}
          hint={words.passwordWhy}
          submit={words.go}
          busy={busy}
          problem={problem}
          reference={reference}
          onSubmit={add}
          onCancel={stop}
        >
          <Field id="passkey-name" label={words.passkeyName}>
            <input
              id="passkey-name"
              value={label}
              maxLength={60}
              onChange={(event) => setLabel(event.target.value)}
              className={CONTROL}
            />
          </Field>
        </OneLineForm>
      ) : (
        <Button onClick={() => setAdding(true)}>{words.passkeyAdd}</Button>
      )}
    </Card>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { security: words } = useAccountWords();
  const client = useTRPCClient();
  const [removing, setRemoving] = useState(false);
  const { busy, problem, reference, run } = useSecurityDeed();
  const { passkeyId, label, addedAt, lastUsedAt } = passkey;
  return (
    <li className="space-y-3 rounded-xl bg-raised p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="text-sm">
          <h3 className="font-medium">{label}</h3>
          <p className="text-muted">
            {words.added} <TimeText at={addedAt} />
            {lastUsedAt !== null && (
              <span className="block">
                {words.used} <TimeText at={lastUsedAt} />
              </span>
            )}
          </p>
        </div>
        {!removing && (
          <Button aria-label={words.passkeyRemove(label)} onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </div>
      {removing && (
        <OneLineForm
          id={`remove-${passkeyId}`}
          kind="password"
          label={words.password}
          submit={words.passkeyRemove(label)}
          busy={busy}
          problem={problem}
          reference={reference}
          danger
          onSubmit={(password) =>
            run(async () => {
              await client.security.removePasskey.mutate({ passkeyId, password });
            })
          }
          onCancel={() => setRemoving(false)}
        />
      )}
    </li>
  );
}
