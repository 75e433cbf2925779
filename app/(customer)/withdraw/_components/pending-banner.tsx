'use client';

import Link from 'next/link';
import { useParams } from 'next/navigation';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { clockTime } from '../../../_components/time-text.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { listPending, readDraftText, subscribeToStore } from './browser-store.ts';
import { mayHaveArrived, type PendingRecord } from './pending-record.ts';
import { usePendingLookUp } from './use-pending-look-up.ts';

/** Every request of this person that may have arrived and was never answered, on whatever page they come back to. */
export function PendingBanner() {
  const { pending } = useWords();
  const { userId } = usePerson();
  const { draftId: openDraftId } = useParams<{ draftId?: string }>();
  const stored = useSyncExternalStore(
    subscribeToStore,
    () => JSON.stringify(listPending(userId).filter(mayHaveArrived)),
    () => '[]',
  );
  const [shown, setShown] = useState<PendingRecord[]>([]);
  useEffect(() => {
    const present: PendingRecord[] = JSON.parse(stored);
    // Once shown, a request stays until its message is closed: its key is dropped the moment it is found.
    setShown((before) => {
      // The review page of a request tells its outcome itself.
      const kept = before.filter(({ draftId }) => draftId !== openDraftId);
      const added = present.filter(
        ({ key, draftId }) => draftId !== openDraftId && !kept.some((known) => known.key === key),
      );
      return [...kept, ...added];
    });
  }, [stored, openDraftId]);
  if (shown.length === 0) return null;
  return (
    <section aria-label={pending.region} className="space-y-3">
      {shown.map((record) => (
        <PendingRequest
          key={record.key}
          record={record}
          onClose={() => setShown((before) => before.filter(({ key }) => key !== record.key))}
        />
      ))}
    </section>
  );
}

function PendingRequest({ record, onClose }: { record: PendingRecord; onClose: () => void }) {
  const { pending, review } = useWords();
  const { userId } = usePerson();
  const { state, lookUp, giveUp } = usePendingLookUp(record);
  const time = clockTime(record.mintedAt);
  const close = (
    <Button size="small" onClick={onClose}>
      {pending.dismiss}
    </Button>
  );
  if (state.kind === 'found') {
    return (
      <Notice tone="good" title={pending.found(time)} data-testid="pending-banner" role="status">
        <p className="flex flex-wrap gap-2">
          <Button asChild size="small" variant="primary">
            <Link href={`/withdrawals/${state.withdrawalId}`} prefetch={false} onClick={onClose}>
              {pending.view}
            </Link>
          </Button>
          {close}
        </p>
      </Notice>
    );
  }
  if (state.kind !== 'checking') {
    const title = state.kind === 'refused' ? pending.refused(time) : pending.givenUp(time);
    return (
      <Notice tone="info" title={title} data-testid="pending-banner" role="status">
        {close}
      </Notice>
    );
  }
  const canOpen = readDraftText(userId, record.draftId) !== null;
  return (
    <Notice tone="warn" title={pending.checking(time)} data-testid="pending-banner" role="status">
      <p>{pending.unknown}</p>
      <p className="flex flex-wrap gap-2">
        <Button size="small" onClick={lookUp}>
          {review.checkAgain}
        </Button>
        {canOpen ? (
          <Button asChild size="small">
            <Link href={`/withdraw/review/${record.draftId}`} prefetch={false}>
              {pending.open}
            </Link>
          </Button>
        ) : (
          <Button size="small" variant="danger" onClick={giveUp}>
            {review.giveUp}
          </Button>
        )}
      </p>
    </Notice>
  );
}
