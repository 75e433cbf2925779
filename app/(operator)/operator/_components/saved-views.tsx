import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { classNames } from '../../../_components/ui/class-names.ts';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Deed } from './deed.tsx';
import { type ListFilters, writeListFilters } from './list-filters.ts';

/** Views that people on duty open again and again, and those that this person keeps. Each is a URL, like every other view. */
export function SavedViews({ filters }: { filters: ListFilters }) {
  const { savedViews, views } = useRoomWords();
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const own = useQuery(trpc.operator.views.list.queryOptions()).data?.items ?? [];
  const view = (name: string, status: ListFilters['status'], sort: ListFilters['sort'] = 'worst_first') => ({
    name,
    query: writeListFilters({ status, sort, search: '', only: null }),
  });
  const narrowed = (name: string, only: ListFilters['only']) => ({
    name,
    query: writeListFilters({ status: null, sort: 'worst_first', search: '', only }),
  });
  const common = [
    view(views.worst, null),
    narrowed(views.stuck, 'stuck'),
    view(views.approval, 'awaiting_approval'),
    view(views.doubt, 'in_doubt'),
    view(views.queued, 'queued'),
    narrowed(views.failedToday, 'failed_today'),
    view(views.failed, 'failed', 'newest'),
    view(views.newest, null, 'newest'),
  ];
  const here = writeListFilters(filters);
  const kept = own.find(({ query }) => query === here);
  const isCommon = common.some(({ query }) => query === here);
  return (
    <div className="space-y-3">
      <nav aria-label={savedViews} className="flex flex-wrap gap-2">
        {[...common, ...own].map(({ name, query }) => (
          <Link
            key={`${name} ${query}`}
            href={`/operator/withdrawals${query}`}
            prefetch={false}
            aria-current={query === here ? 'page' : undefined}
            className={classNames(
              'inline-flex min-h-8 items-center rounded-full border px-3 text-sm',
              query === here ? 'border-accent bg-accent-soft text-accent' : 'border-line bg-surface hover:bg-raised',
            )}
          >
            {name}
          </Link>
        ))}
      </nav>
      {/* One deed for both, so that what it says of itself outlives the change that it made. */}
      {(kept !== undefined || !isCommon) && (
        <Deed
          key={here}
          label={kept === undefined ? views.keep : views.forget}
          says={kept === undefined ? views.keepSays : views.forgetSays(kept.name)}
          fields={kept === undefined ? [{ name: 'name', label: views.name, value: '' }] : []}
          run={async ({ deedId: viewId, typed }) => {
            if (kept === undefined) {
              await operator.views.save.mutate({ viewId, name: typed('name'), query: here });
              return views.kept;
            }
            await operator.views.forget.mutate({ viewId: kept.viewId });
            return views.forgotten;
          }}
        />
      )}
    </div>
  );
}
