import { Boxes, History, Landmark, Mail, Send } from 'lucide-react';
import { TimeText } from '../../../_components/time-text.tsx';
import type { OperatorWithdrawal } from '../../../_trpc/api-types.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';

const ICONS = { history: History, attempt: Send, event: Mail, ledger: Landmark, chain: Boxes };

/** Everything that happened, in order, each with the book it was read from. */
export function OperatorTimeline({ timeline }: { timeline: OperatorWithdrawal['timeline'] }) {
  const operator = useOperatorWords();
  return (
    <ol className="space-y-4">
      {timeline.map((entry, index) => {
        const Icon = ICONS[entry.kind];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever appended.
          <li key={index} className="grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3">
            <span className="grid size-7 place-items-center rounded-full bg-raised text-muted">
              <Icon aria-hidden="true" className="size-4" />
            </span>
            <div className="text-sm">
              <p className="font-medium">
                <span className="sr-only">{operator.kinds[entry.kind]}: </span>
                {entry.title}
              </p>
              <p className="text-muted text-xs">
                <TimeText at={entry.at} />
              </p>
              {entry.detail !== null && <p className="text-muted [overflow-wrap:anywhere]">{entry.detail}</p>}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
