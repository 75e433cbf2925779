import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { WITHDRAWAL_STATUSES } from '#domain/withdrawal.ts';
import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { type HistoryFilter, NO_FILTER, readHistoryFilter } from './history-filter.ts';

type HistoryFiltersProps = { filter: HistoryFilter; onApply: (filter: HistoryFilter) => void };

/** Narrows the history. It stands in the address of the page, so that a reload and a link keep it. */
export function HistoryFilters({ filter, onApply }: HistoryFiltersProps) {
  const { history, form, facts, status } = useWords();
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.asset.list.queryOptions(), staleTime: 60_000 });
  const networks = new Map(
    data?.assets.flatMap((asset) => asset.networks.map((one) => [one.networkId, one.name])) ?? [],
  );
  return (
    <form
      // A list that came late would leave its field at "any".
      key={JSON.stringify([filter, data === undefined])}
      aria-label={history.filters}
      className="grid gap-3 rounded-2xl border border-line bg-surface p-5 sm:grid-cols-2 lg:grid-cols-3"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget);
        onApply(readHistoryFilter({ get: (name) => String(fields.get(name) ?? '') }));
      }}
    >
      <div className="sm:col-span-2 lg:col-span-3">
        <Field id="history-search" label={history.search}>
          <input
            id="history-search"
            name="search"
            type="search"
            defaultValue={filter.search}
            spellCheck={false}
            autoComplete="off"
            className={CONTROL}
          />
        </Field>
      </div>
      <Choice name="status" label={history.statusLabel} value={filter.status} any={history.anyStatus}>
        {WITHDRAWAL_STATUSES.map((one) => (
          <option key={one} value={one}>
            {status[one]}
          </option>
        ))}
      </Choice>
      <Choice name="asset" label={form.asset} value={filter.asset} any={history.anyAsset}>
        {data?.assets.map(({ assetId }) => (
          <option key={assetId} value={assetId}>
            {assetId}
          </option>
        ))}
      </Choice>
      <Choice name="network" label={facts.network} value={filter.network} any={history.anyNetwork}>
        {[...networks].map(([networkId, name]) => (
          <option key={networkId} value={networkId}>
            {name}
          </option>
        ))}
      </Choice>
      <Day name="from" label={history.from} value={filter.from} />
      <Day name="until" label={history.until} value={filter.until} />
      <div className="flex flex-wrap items-end gap-2">
        <Button type="submit" variant="primary">
          {history.apply}
        </Button>
        <Button onClick={() => onApply(NO_FILTER)}>{history.clear}</Button>
      </div>
    </form>
  );
}

function Choice(props: { name: string; label: string; value: string; any: string; children: ReactNode }) {
  const { name, label, value, any, children } = props;
  return (
    <Field id={`history-${name}`} label={label}>
      <Select id={`history-${name}`} name={name} defaultValue={value}>
        <option value="">{any}</option>
        {children}
      </Select>
    </Field>
  );
}

function Day({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <Field id={`history-${name}`} label={label}>
      <input id={`history-${name}`} name={name} type="date" defaultValue={value} className={CONTROL} />
    </Field>
  );
}
