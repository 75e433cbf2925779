'use client';

import { Amount } from '../../../_components/amount.tsx';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { LeadHeading } from '../../../_components/lead-heading.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { ButtonLink } from '../../../_components/ui/button.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useBalances } from '../../../_components/use-balances.ts';
import { useAccountWords } from '../../../_words/use-account-words.ts';

/** Every asset: free to withdraw, and set aside for withdrawals under way. */
export function BalancesPage() {
  const { balances: words } = useAccountWords();
  const query = useBalances();
  const balances = query.data?.balances;
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <LeadHeading title={words.title} lead={words.lead}>
        <AnswerAge query={query} />
      </LeadHeading>
      <section
        aria-busy={query.isPending}
        className="overflow-hidden rounded-2xl border border-line bg-surface"
        aria-label={words.title}
      >
        {query.isPending && <Skeleton className="m-5 h-96" />}
        {query.isError && balances === undefined && <LoadTrouble error={query.error} onRetry={() => query.refetch()} />}
        {balances?.length === 0 && <p className="p-8 text-center text-muted">{words.empty}</p>}
        <ul className="divide-y divide-line">
          {balances?.map(({ assetId, name, available, held }) => (
            <li key={assetId} className="grid gap-x-6 gap-y-3 px-5 py-4 sm:grid-cols-[9rem_minmax(0,1fr)_auto] sm:px-6">
              <div>
                <h2 className="font-semibold">{assetId}</h2>
                <p className="text-muted text-sm">{name}</p>
              </div>
              <dl className="grid grid-cols-2 gap-4">
                <div>
                  <dt className="text-muted text-xs">{words.available}</dt>
                  <dd className="font-medium">
                    <Amount value={available} asset={assetId} />
                  </dd>
                </div>
                <div>
                  <dt className="text-muted text-xs">{words.held}</dt>
                  <dd>
                    <Amount value={held} asset={assetId} />
                  </dd>
                </div>
              </dl>
              <ButtonLink href={`/withdraw?asset=${assetId}`} aria-label={words.withdrawWhat(assetId)}>
                {words.withdraw}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
