import { Amount } from '../../../_components/amount.tsx';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useBalances } from '../../../_components/use-balances.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Every balance of the person: what is available, and what is set aside for withdrawals under way. */
export function BalancesStrip() {
  const { balances: words } = useWords();
  const query = useBalances();
  const balances = query.data?.balances;
  return (
    <section aria-busy={query.isPending}>
      <h2 className="sr-only">{words.title}</h2>
      {query.isPending && <Skeleton className="h-21 w-full" />}
      {query.isError && balances === undefined && (
        <LoadTrouble error={query.error} onRetry={() => query.refetch()} className="text-sm" />
      )}
      {balances?.length === 0 && <p className="text-muted text-sm">{words.empty}</p>}
      {balances !== undefined && balances.length > 0 && (
        <ul className="grid grid-cols-2 gap-2.5 sm:grid-cols-3 lg:grid-cols-6">
          {balances.map(({ assetId, available, held }) => (
            <li key={assetId} className="min-w-0 rounded-xl border border-line bg-surface px-3.5 py-3">
              <p className="font-semibold">
                <Amount value={available} asset={assetId} />
              </p>
              <p className="text-muted text-xs">
                {held === '0' ? words.available : <Amount value={held} asset={words.held} />}
              </p>
            </li>
          ))}
        </ul>
      )}
      <AnswerAge query={query} className="pt-1.5" />
    </section>
  );
}
