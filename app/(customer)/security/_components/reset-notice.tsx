import { Reference } from '../../../_components/reference.tsx';
import { dayTime } from '../../../_components/time-text.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { useSecurityDeed } from './use-security-deed.ts';

/** Tells that somebody asked to remove every second factor, and stops it at one press. */
export function ResetNotice({ dueAt }: { dueAt: string }) {
  const { security: words } = useAccountWords();
  const client = useTRPCClient();
  const { busy, problem, reference, run } = useSecurityDeed();
  const stop = () =>
    run(async () => {
      await client.security.stopReset.mutate();
    });
  return (
    <Notice tone="bad" title={words.resetWaits(dayTime(dueAt))} data-testid="factor-reset">
      <p>{words.resetWaitsMore}</p>
      <Button busy={busy} onClick={stop}>
        {words.resetStop}
      </Button>
      <div role="alert">
        <p>{problem}</p>
        <Reference id={reference} />
      </div>
    </Notice>
  );
}
