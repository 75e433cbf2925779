import Link from 'next/link';
import { classNames } from '../../../_components/ui/class-names.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { type ListFilters, writeListFilters } from './list-filters.ts';

/** Views that people on duty open again and again. Each is a URL, like every other view. */
export function SavedViews({ filters }: { filters: ListFilters }) {
  const { savedViews, views } = useRoomWords();
  const view = (name: string, status: ListFilters['status'], sort: ListFilters['sort'] = 'worst_first') => ({
    name,
    query: writeListFilters({ status, sort, search: '' }),
  });
  const all = [
    view(views.stuck, null),
    view(views.approval, 'awaiting_approval'),
    view(views.doubt, 'in_doubt'),
    view(views.queued, 'queued'),
    view(views.failed, 'failed', 'newest'),
    view(views.newest, null, 'newest'),
  ];
  const here = writeListFilters(filters);
  return (
    <nav aria-label={savedViews} className="flex flex-wrap gap-2">
      {all.map(({ name, query }) => (
        <Link
          key={name}
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
  );
}
