import type { ReactNode } from 'react';
import { Amount } from '../../../_components/amount.tsx';
import { durationText } from '../../../_components/duration-text.ts';
import { Card } from '../../../_components/ui/card.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { Overview } from './room-types.ts';

/** What waits where, who answers, and what the wallets hold. */
export function OverviewHealth({ overview }: { overview: Overview }) {
  const { overview: words, ago } = useRoomWords();
  const operator = useOperatorWords();
  const { outbox, inbox, queue, custodyAnswers, chains, hot, ended24h } = overview;
  const backlog = (waiting: number, oldestMs: number, more: string[] = []) =>
    [words.waiting(waiting), ...more, ...(waiting > 0 ? [words.oldest(durationText(oldestMs / 1000))] : [])].join(', ');
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(17rem,1fr))] gap-4">
      <Facts
        title={words.backlogs}
        rows={[
          [words.outbox, backlog(outbox.waiting, outbox.oldestMs)],
          [words.inbox, backlog(inbox.waiting, inbox.oldestMs, inbox.parked > 0 ? [words.parked(inbox.parked)] : [])],
          [words.queue, queue === null ? <Bad key="queue">{words.redisSilent}</Bad> : words.jobs(queue)],
        ]}
      />
      <Facts
        title={words.health}
        rows={[
          [words.custody, custodyAnswers ? words.answers : <Bad key="custody">{words.silent}</Bad>],
          ...chains.map(({ network, block, silentSeconds, halted }): [string, ReactNode] => [
            network,
            halted === null ? (
              words.chainAt(block, durationText(silentSeconds))
            ) : (
              <Bad key={network}>{words.halted(halted)}</Bad>
            ),
          ]),
        ]}
      />
      <Facts
        title={words.hot}
        rows={
          hot.length === 0
            ? [[words.noHot, '']]
            : hot.map(({ asset, network, available, ageSeconds }) => [
                `${network}, ${ago(durationText(ageSeconds))}`,
                <Amount key={asset} value={available} asset={asset} />,
              ])
        }
      />
      <Facts
        title={words.ended}
        rows={Object.entries(ended24h).map(([status, count]) => [statusName(operator.status, status), String(count)])}
      />
    </div>
  );
}

function statusName(names: Readonly<Record<string, string>>, status: string): string {
  return names[status] ?? status;
}

function Facts({ title, rows }: { title: string; rows: [string, ReactNode][] }) {
  return (
    <Card className="space-y-3 text-sm">
      <h2 className="font-semibold text-base">{title}</h2>
      <dl className="space-y-2">
        {rows.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two assets may share a network and an age.
          <div key={index} className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Bad({ children }: { children: ReactNode }) {
  return <span className="font-semibold text-bad">{children}</span>;
}
