import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { WITHDRAWAL_STATUSES } from '#domain/withdrawal.ts';
import { Button } from '../../../_components/ui/button.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { useFilterDraft } from '../../../_components/use-filter-draft.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { type HistoryFilter, historySearch, NO_FILTER, readHistoryFilter } from './history-filter.ts';

type HistoryFiltersProps = { filter: HistoryFilter; onApply: (filter: HistoryFilter) => void };

/** Narrows the history. It stands in the address of the page, so that a reload and a link keep it. */
export function HistoryFilters({ filter, onApply }: HistoryFiltersProps) {
  const { values, change, apply } = useFilterDraft({ filter, toText: historySearch, onApply });
  // On a phone the list comes first; filters that are in use are shown.
  const { search, ...narrower } = filter;
  const [isOpen, setIsOpen] = useState(Object.values(narrower).some((value) => value !== ''));
  const { history, form, facts, status } = useWords();
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.asset.list.queryOptions(), staleTime: 60_000 });
  const networks = new Map(
    data?.assets.flatMap((asset) => asset.networks.map((one) => [one.networkId, one.name])) ?? [],
  );
  return (
    <form
      aria-label={history.filters}
      className="grid gap-3 rounded-2xl border border-line bg-surface p-5 sm:grid-cols-2 lg:grid-cols-3"
      onSubmit={(event) => {
        event.preventDefault();
        apply(readHistoryFilter(new URLSearchParams(values)));
      }}
    >
      <div className="sm:col-span-2 lg:col-span-3">
        <Field id="history-search" label={history.search}>
          <input
            id="history-search"
            type="search"
            value={values.search}
            onChange={(event) => change({ search: event.target.value })}
            spellCheck={false}
            autoComplete="off"
            className={CONTROL}
          />
        </Field>
      </div>
      <Button className="sm:hidden" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {history.filters}
      </Button>
      <div className={classNames('contents', !isOpen && 'max-sm:hidden')}>
        <Choice
          name="status"
          label={history.statusLabel}
          value={values.status}
          any={history.anyStatus}
          onChange={(status) => change({ status })}
        >
          {WITHDRAWAL_STATUSES.map((one) => (
            <option key={one} value={one}>
              {status[one]}
            </option>
          ))}
        </Choice>
        <Choice
          name="asset"
          label={form.asset}
          value={values.asset}
          any={history.anyAsset}
          onChange={(asset) => change({ asset })}
        >
          {data?.assets.map(({ assetId }) => (
            <option key={assetId} value={assetId}>
              {assetId}
            </option>
          ))}
        </Choice>
        <Choice
          name="network"
          label={facts.network}
          value={values.network}
          any={history.anyNetwork}
          onChange={(network) => change({ network })}
        >
          {[...networks].map(([networkId, name]) => (
            <option key={networkId} value={networkId}>
              {name}
            </option>
          ))}
        </Choice>
        <Day name="from" label={history.from} value={values.from} onChange={(from) => change({ from })} />
        <Day name="until" label={history.until} value={values.until} onChange={(until) => change({ until })} />
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Button type="submit" variant="primary">
          {history.apply}
        </Button>
        <Button onClick={() => apply(NO_FILTER)}>{history.clear}</Button>
      </div>
    </form>
  );
}

function Choice(props: {
  name: string;
  label: string;
  value: string;
  any: string;
  onChange: (value: string) => void;
  children: ReactNode;
}) {
  const { name, label, value, any, onChange, children } = props;
  return (
    <Field id={`history-${name}`} label={label}>
      <Select id={`history-${name}`} value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{any}</option>
        {children}
      </Select>
    </Field>
  );
}

function Day(props: { name: string; label: string; value: string; onChange: (value: string) => void }) {
  const { name, label, value, onChange } = props;
  return (
    <Field id={`history-${name}`} label={label}>
      <input
        id={`history-${name}`}
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={CONTROL}
      />
    </Field>
  );
}
