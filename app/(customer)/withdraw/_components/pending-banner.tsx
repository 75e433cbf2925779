'use client';

import { useParams } from 'next/navigation';
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { usePerson } from '../../../_session/person-context.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { listPending, readDraftText, subscribeToStore } from './browser-store.ts';
import { mayHaveArrived, type PendingRecord } from './pending-record.ts';

// Nearly no visit needs it, so no first load carries it.
const PendingRequest = lazy(() => import('./pending-request.tsx').then((file) => ({ default: file.PendingRequest })));

/** Every request of this person that may have arrived and was never answered, on whatever page they come back to. */
export function PendingBanner() {
  const { pending } = useWords();
  const { userId } = usePerson();
  const { draftId: urlDraftId } = useParams<{ draftId?: string }>();
  const stored = useSyncExternalStore(
    subscribeToStore,
    () => JSON.stringify(listPending(userId).filter(mayHaveArrived)),
    () => '[]',
  );
  const [shown, setShown] = useState<PendingRecord[]>([]);
  useEffect(() => {
    const present: PendingRecord[] = JSON.parse(stored);
    // The review page of a request tells its outcome itself, as long as it still has the request to show.
    const isOpen = urlDraftId !== undefined && readDraftText(userId, urlDraftId) !== null;
    const openDraftId = isOpen ? urlDraftId : null;
    // Once shown, a request stays until its message is closed: its key is dropped the moment it is found.
    setShown((before) => {
      const kept = before.filter(({ draftId }) => draftId !== openDraftId);
      const added = present.filter(
        ({ key, draftId }) => draftId !== openDraftId && !kept.some((known) => known.key === key),
      );
      return [...kept, ...added];
    });
  }, [stored, urlDraftId, userId]);
  if (shown.length === 0) return null;
  return (
    <section aria-label={pending.region} className="space-y-3">
      <Suspense>
        {shown.map((record) => (
          <PendingRequest
            key={record.key}
            record={record}
            onClose={() => setShown((before) => before.filter(({ key }) => key !== record.key))}
          />
        ))}
      </Suspense>
    </section>
  );
}
