import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { Prevented } from './room-types.ts';

/** Duplicates that were stopped, by the layer that stopped them. */
export function PreventedList({ prevented }: { prevented: Prevented[] }) {
  const { layers } = useRoomWords();
  return (
    <dl className="space-y-2 text-sm">
      {prevented.map(({ layer, count }) => (
        <div key={layer} className="flex justify-between gap-4">
          <dt className="text-muted">{layers[layer]}</dt>
          <dd data-testid={`prevented-${layer}`} className="font-semibold tabular-nums">
            {count}
          </dd>
        </div>
      ))}
    </dl>
  );
}
