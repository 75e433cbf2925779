import { useState } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { drawQr } from '../../../_components/draw-qr.ts';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { OneLineForm } from './one-line-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useSecurityDeed } from './use-security-deed.ts';

type Stage =
  | { kind: 'rest' }
  | { kind: 'password' }
  | { kind: 'scan'; secret: string; picture: string }
  | { kind: 'codes'; codes: string[] }
  | { kind: 'remove' };

/** The authenticator: set up by picture or secret, taken away by one of its codes or a recovery code. */
export function TotpCard({ isOn }: { isOn: boolean }) {
  const { security: words } = useAccountWords();
  const client = useTRPCClient();
  const [stage, setStage] = useState<Stage>({ kind: 'rest' });
  const { busy, problem, reference, run, say } = useSecurityDeed();
  const rest = () => {
    say(null);
    setStage({ kind: 'rest' });
  };
  const begin = (password: string) =>
    run(async () => {
      const { secret, uri } = await client.security.setUpTotp.mutate({ password });
      setStage({ kind: 'scan', secret, picture: await drawQr(uri) });
    });
  const confirm = (code: string) =>
    run(async () => {
      const { recoveryCodes } = await client.security.confirmTotp.mutate({ code });
      setStage({ kind: 'codes', codes: recoveryCodes });
    });
  const remove = (code: string) =>
    run(async () => {
      await client.security.removeTotp.mutate({ code });
      setStage({ kind: 'rest' });
    });
  return (
    <Card className="space-y-4" aria-labelledby="totp-title">
      <div className="space-y-1">
        <h2 id="totp-title" className="font-semibold">
          {words.totp}
        </h2>
        <p className="text-muted text-sm">{isOn ? words.totpOn : words.totpOff}</p>
      </div>
      {stage.kind === 'rest' && !isOn && (
        <Button onClick={() => setStage({ kind: 'password' })}>{words.totpSetUp}</Button>
      )}
      {stage.kind === 'rest' && isOn && (
        <Button variant="danger" onClick={() => setStage({ kind: 'remove' })}>
          {words.totpRemove}
        </Button>
      )}
      {stage.kind === 'password' && (
        <OneLineForm
          id="totp-password"
          kind="password"
          label={words.password}
          hint={words.passwordWhy}
          submit={words.go}
          busy={busy}
          problem={problem}
          reference={reference}
          onSubmit={begin}
          onCancel={rest}
        />
      )}
      {stage.kind === 'scan' && (
        <OneLineForm
          id="totp-code"
          kind="code"
          label={words.totpCode}
          submit={words.totpConfirm}
          busy={busy}
          problem={problem}
          reference={reference}
          onSubmit={confirm}
          onCancel={rest}
        >
          <p className="text-sm">{words.totpScan}</p>
          {/* biome-ignore lint/performance/noImgElement: a picture drawn in the page has nothing to be loaded. */}
          <img
            src={stage.picture}
            alt={words.totpPicture}
            className="size-48 rounded-xl border border-line bg-white p-2"
          />
          <div className="flex items-center gap-2 text-sm">
            <span className="text-muted">{words.totpSecret}</span>
            <span data-testid="totp-secret" data-secret={stage.secret}>
              <AddressText value={stage.secret} />
            </span>
            <CopyButton text={stage.secret} what={words.totpSecret.toLowerCase()} />
          </div>
        </OneLineForm>
      )}
      {stage.kind === 'codes' && <RecoveryCodes codes={stage.codes} onDone={rest} />}
      {stage.kind === 'remove' && (
        <OneLineForm
          id="totp-remove"
          kind="code"
          label={words.totpRemoveCode}
          hint={words.totpLost}
          submit={words.totpRemove}
          busy={busy}
          problem={problem}
          reference={reference}
          danger
          onSubmit={remove}
          onCancel={rest}
        />
      )}
    </Card>
  );
}
