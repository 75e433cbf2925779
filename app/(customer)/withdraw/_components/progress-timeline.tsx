import { Check } from 'lucide-react';
import { TimeText } from '../../../_components/time-text.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import type { WithdrawalView } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';

/** The steps as the server states them. What is expected looks different from what happened. */
export function ProgressTimeline({ withdrawal }: { withdrawal: WithdrawalView }) {
  const words = useWords();
  const { steps, status, confirmations, confirmationsRequired } = withdrawal;
  return (
    <ol>
      {steps.map(({ step, at, state }, index) => (
        <li
          key={step}
          aria-current={state === 'current' ? 'step' : undefined}
          className="relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 pb-5 last:pb-0"
        >
          {index < steps.length - 1 && (
            <span
              aria-hidden="true"
              className={classNames(
                'absolute top-7 bottom-0 left-[0.8125rem] w-0.5',
                state === 'done' ? 'bg-accent' : 'bg-line',
              )}
            />
          )}
          <span
            aria-hidden="true"
            className={classNames(
              'mt-0.5 grid size-7 place-items-center rounded-full border-2',
              state === 'done' && 'border-accent bg-accent text-on-accent',
              state === 'current' && 'border-accent bg-accent-soft',
              state === 'expected' && 'border-line border-dashed',
            )}
          >
            {state === 'done' && <Check className="size-4" strokeWidth={3} />}
            {state === 'current' && (
              <span className="size-2.5 rounded-full bg-accent motion-safe:animate-pulse forced-colors:bg-[CanvasText]" />
            )}
          </span>
          <div className="pt-1">
            <p className={classNames('font-medium', state === 'expected' && 'font-normal text-muted')}>
              {words.step(step)}
            </p>
            <p className="text-muted text-sm">
              {at !== null ? <TimeText at={at} /> : state === 'expected' ? words.progress.expected : words.progress.now}
              {step === 'on_the_network' && (status === 'broadcast' || status === 'completed') && (
                <span className="block font-medium text-ink tabular-nums">
                  {words.progress.confirmations(Math.min(confirmations, confirmationsRequired), confirmationsRequired)}
                </span>
              )}
            </p>
            {step === 'on_the_network' && status === 'broadcast' && (
              <span aria-hidden="true" className="mt-2 block h-1.5 max-w-60 overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full rounded-full bg-accent transition-[width] duration-500"
                  style={{ width: `${share(confirmations, confirmationsRequired)}%` }}
                />
              </span>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 100 : Math.min(100, Math.round((part / whole) * 100));
}
