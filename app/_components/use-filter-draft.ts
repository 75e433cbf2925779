'use client';

import { useState } from 'react';
import { type FilterDraft, hearAddress } from './filter-draft.ts';

/**
 * What stands in a form of filters whose truth is the page's address. The address follows a moment after a choice is applied; what is
 * typed in between stays.
 *
 * @param toText the filter as the address writes it
 */
export function useFilterDraft<Filter extends object>(input: {
  filter: Filter;
  toText: (filter: Filter) => string;
  onApply: (filter: Filter) => void;
}) {
  const { filter, toText, onApply } = input;
  const address = toText(filter);
  const [draft, setDraft] = useState<FilterDraft<Filter>>({ values: filter, heard: address, pending: [] });
  if (address !== draft.heard) setDraft(hearAddress(draft, filter, address));
  return {
    values: draft.values,
    change: (changed: Partial<Filter>) =>
      setDraft((before) => ({ ...before, values: { ...before.values, ...changed } })),
    apply: (next: Filter) => {
      setDraft((before) => ({ ...before, values: next, pending: [...before.pending, toText(next)] }));
      onApply(next);
    },
  };
}
