'use client';

import { useSyncExternalStore } from 'react';
import { isUuidText } from '#domain/withdrawal.ts';

/** The id of the row that the address names after its `#`, behind this prefix; null where it names none. */
export function useNamedRow(prefix: string): string | null {
  const hash = useSyncExternalStore(
    subscribe,
    () => window.location.hash,
    () => '',
  );
  const id = hash.startsWith(`#${prefix}`) ? hash.slice(prefix.length + 1).toLowerCase() : '';
  return isUuidText(id) ? id : null;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange);
  return () => window.removeEventListener('hashchange', onChange);
}
