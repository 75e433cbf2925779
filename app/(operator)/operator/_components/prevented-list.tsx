import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { Prevented } from './room-types.ts';

/** Duplicates that were stopped, by the layer that stopped them, each beside the most. */
export function PreventedList({ prevented }: { prevented: Prevented[] }) {
  const { layers } = useRoomWords();
  const most = Math.max(1, ...prevented.map(({ count }) => count));
  return (
    <dl className="space-y-2 text-sm">
      {prevented.map(({ layer, count }) => (
        <div key={layer} className="flex items-start justify-between gap-4">
          <dt className="min-w-0 grow text-muted">
            {layers[layer]}
            <span aria-hidden="true" className="mt-1 block h-1.5 overflow-hidden rounded bg-line">
              <span className="block h-full bg-accent" style={{ width: `${(100 * count) / most}%` }} />
            </span>
          </dt>
          <dd data-testid={`prevented-${layer}`} className="font-semibold tabular-nums">
            {count}
          </dd>
        </div>
      ))}
    </dl>
  );
}
