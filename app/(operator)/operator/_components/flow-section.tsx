'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRouter, useSearchParams } from 'next/navigation';
import { clockTime } from '../../../_components/time-text.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Disclosure } from '../../../_components/ui/disclosure.tsx';
import { Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useFilterDraft } from '../../../_components/use-filter-draft.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { PreventedList } from './prevented-list.tsx';
import type { FlowPoint } from './room-types.ts';

// The drawing library is larger than the rest of the page together: it comes after the words.
const FlowChart = dynamic(() => import('./flow-chart.tsx').then((file) => file.FlowChart), {
  ssr: false,
  loading: () => <Skeleton className="h-56 w-full" />,
});

const REFRESH_MS = 15_000; // A point is a minute.

type Span = 'hour' | 'day';
const toSpan = (text: string | null): Span => (text === 'day' ? 'day' : 'hour');
const toText = ({ span }: { span: Span }) => (span === 'day' ? '?span=day' : '');

/** Requests, completions and latency over time, drawn and as a table, and the duplicates that were stopped. */
export function FlowSection() {
  const { overview, asTable } = useRoomWords();
  const router = useRouter();
  const { values, apply } = useFilterDraft<{ span: Span }>({
    filter: { span: toSpan(useSearchParams().get('span')) },
    toText,
    onApply: (next) => router.replace(`/operator${toText(next)}`, { scroll: false }),
  });
  const { span } = values;
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.operator.overview.flow.queryOptions({ span }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  if (query.data === undefined) return <Skeleton className="h-80 w-full" />;
  const points = query.data.points.map((point) => ({ ...point, time: clockTime(point.at) }));
  return (
    <>
      <div className="max-w-48">
        <Field id="span" label={overview.span}>
          <Select id="span" value={span} onChange={(event) => apply({ span: toSpan(event.target.value) })}>
            <option value="hour">{overview.hour}</option>
            <option value="day">{overview.day}</option>
          </Select>
        </Field>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
        <Card className="space-y-3">
          <h2 className="font-semibold">{overview.flow}</h2>
          <FlowChart
            points={points}
            lines={[
              { key: 'requests', name: overview.requests, color: 'var(--accent)' },
              { key: 'completions', name: overview.completions, color: 'var(--good)' },
              { key: 'failures', name: overview.failures, color: 'var(--bad)' },
            ]}
          />
        </Card>
        <Card className="space-y-3">
          <h2 className="font-semibold">{overview.latency}</h2>
          <FlowChart
            points={points}
            unit=" ms"
            lines={[
              { key: 'p50Ms', name: overview.p50, color: 'var(--accent)' },
              { key: 'p95Ms', name: overview.p95, color: 'var(--warn)' },
            ]}
          />
        </Card>
      </div>
      <Disclosure title={asTable}>
        <FlowTable points={query.data.points} />
      </Disclosure>
      <Card className="space-y-3">
        <h2 className="font-semibold">{overview.prevented}</h2>
        <PreventedList prevented={query.data.prevented} />
      </Card>
    </>
  );
}

function FlowTable({ points }: { points: FlowPoint[] }) {
  const { overview, none } = useRoomWords();
  const busy = points.filter((point) => point.requests + point.completions + point.failures > 0).reverse();
  const columns = [
    overview.minute,
    overview.requests,
    overview.completions,
    overview.failures,
    overview.p50,
    overview.p95,
  ];
  if (busy.length === 0) return <p className="text-muted">{none}</p>;
  return (
    <DataTable caption={overview.flow} columns={columns} wide={false}>
      {busy.map((point) => (
        <tr key={point.at}>
          <Cell>{clockTime(point.at)}</Cell>
          <Cell>{point.requests}</Cell>
          <Cell>{point.completions}</Cell>
          <Cell>{point.failures}</Cell>
          <Cell>{point.p50Ms === null ? '–' : `${point.p50Ms} ms`}</Cell>
          <Cell>{point.p95Ms === null ? '–' : `${point.p95Ms} ms`}</Cell>
        </tr>
      ))}
    </DataTable>
  );
}
