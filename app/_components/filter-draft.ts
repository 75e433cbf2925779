/** What stands in a form of filters, and what of it is on its way to the page's address. */
export type FilterDraft<Filter> = {
  values: Filter;
  /** The address as it was last seen. */
  heard: string;
  /** What was applied and has not arrived in the address yet, in order. */
  pending: readonly string[];
};

/**
 * The address has changed. Where it is what was applied here, the form stays as it is, whatever was typed meanwhile; one that came
 * from elsewhere (Back, a link) fills the form anew.
 */
export function hearAddress<Filter>(draft: FilterDraft<Filter>, filter: Filter, address: string): FilterDraft<Filter> {
  const place = draft.pending.indexOf(address);
  if (place < 0) return { values: filter, heard: address, pending: [] };
  return { ...draft, heard: address, pending: draft.pending.slice(place + 1) };
}
