'use client';

import { useQuery } from '@tanstack/react-query';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { dayTime } from '../../../_components/time-text.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { EmailCard } from './email-card.tsx';
import { PasskeyCard } from './passkey-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { RecoveryCard } from './recovery-card.tsx';
import { ResetNotice } from './reset-notice.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TotpCard } from './totp-card.tsx';

/** What guards the account: second factors, password, address and sessions. */
export function SecurityPage() {
  const { security: words } = useAccountWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.security.overview.queryOptions(), refetchOnMount: 'always' });
  const view = query.data;
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <div className="space-y-1">
        <PageHeading>{words.title}</PageHeading>
        <p className="text-muted">{words.freezeAhead}</p>
      </div>
      {query.isError && view === undefined && <LoadTrouble error={query.error} onRetry={() => query.refetch()} />}
      {query.isPending && (
        <div aria-busy="true">
          <Skeleton className="h-120 w-full rounded-2xl" />
        </div>
      )}
      {view !== undefined && (
        <>
          {view.frozenUntil !== null && (
            <Notice tone="warn" title={words.frozen(dayTime(view.frozenUntil))} data-testid="freeze">
              <p>{words.frozenMore}</p>
            </Notice>
          )}
          {view.resetDueAt !== null && <ResetNotice dueAt={view.resetDueAt} />}
          <TotpCard isOn={view.totp} />
          <PasskeyCard passkeys={view.passkeys} />
          {(view.totp || view.passkeys.length > 0) && <RecoveryCard codesLeft={view.recoveryCodesLeft} />}
          <PasswordCard />
          <SessionsCard sessions={view.sessions} />
          <EmailCard verified={view.emailVerified} />
        </>
      )}
    </div>
  );
}
