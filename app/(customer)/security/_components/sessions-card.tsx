import { Reference } from '../../../_components/reference.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import type { SecurityView } from '../../../_trpc/api-types.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { browserName } from './browser-name.ts';
import { useSecurityDeed } from './use-security-deed.ts';

/** Every session of the person; each can be ended, and all but this one at once. */
export function SessionsCard({ sessions }: { sessions: SecurityView['sessions'] }) {
  const { security: words } = useAccountWords();
  const client = useTRPCClient();
  const { busy, problem, reference, run } = useSecurityDeed();
  const end = (sessionId: string | null) =>
    run(async () => {
      await client.security.endSessions.mutate({ sessionId });
    });
  const others = sessions.filter(({ isThis }) => !isThis);
  return (
    <Card className="space-y-4" aria-labelledby="sessions-title">
      <h2 id="sessions-title" className="font-semibold">
        {words.sessions}
      </h2>
      <ul className="divide-y divide-line">
        {sessions.map(({ sessionId, browser, address, startedAt, isThis }) => {
          const name = browser === null ? words.sessionUnknown : browserName(browser);
          return (
            <li key={sessionId} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0">
              <div className="text-sm">
                <p className="font-medium">
                  {name} {isThis && <span className="font-normal text-muted">({words.sessionThis})</span>}
                </p>
                <p className="text-muted">
                  {address} · <TimeText at={startedAt} />
                </p>
              </div>
              {!isThis && (
                <Button busy={busy} aria-label={words.sessionEndWhat(name)} onClick={() => end(sessionId)}>
                  {words.sessionEnd}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {others.length > 0 && (
        <Button busy={busy} onClick={() => end(null)}>
          {words.sessionsEnd}
        </Button>
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
