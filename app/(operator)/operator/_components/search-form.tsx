'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import { useFilterDraft } from '../../../_components/use-filter-draft.ts';

type SearchFormProps = { label: string; button: string; path: string };

/** What the address of the page searches for; empty for everything. */
export function useSearchText(): string {
  return useSearchParams().get('search')?.trim() ?? '';
}

/** One box that finds; what it finds stands in the address of its page. */
export function SearchForm({ label, button, path }: SearchFormProps) {
  const router = useRouter();
  const search = useSearchText();
  const { values, change, apply } = useFilterDraft({
    filter: { search },
    toText,
    onApply: (next) => router.replace(`${path}${toText(next)}`),
  });
  return (
    <form
      className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        apply({ search: values.search.trim() });
      }}
    >
      <Field id="search" label={label}>
        <input
          id="search"
          name="search"
          type="search"
          value={values.search}
          onChange={(event) => change({ search: event.target.value })}
          autoComplete="off"
          className={CONTROL}
        />
      </Field>
      <Button type="submit" variant="primary" className="min-h-12">
        {button}
      </Button>
    </form>
  );
}

function toText({ search }: { search: string }): string {
  return search === '' ? '' : `?search=${encodeURIComponent(search)}`;
}
