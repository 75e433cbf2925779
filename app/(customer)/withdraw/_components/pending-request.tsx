'use client';

import { Reference } from '../../../_components/reference.tsx';
import { clockTime } from '../../../_components/time-text.tsx';
import { Button, ButtonLink } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { readDraftText } from './browser-store.ts';
import type { PendingRecord } from './pending-record.ts';
import { usePendingLookUp } from './use-pending-look-up.ts';

/** One request that may have arrived: looked up until the server knows it, told in amber, never called failed. */
export function PendingRequest({ record, onClose }: { record: PendingRecord; onClose: () => void }) {
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
          <ButtonLink href={`/withdrawals/${state.withdrawalId}`} onClick={onClose} size="small" variant="primary">
            {pending.view}
          </ButtonLink>
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
      <Reference id={record.key} />
      <p className="flex flex-wrap gap-2">
        <Button size="small" onClick={lookUp}>
          {review.checkAgain}
        </Button>
        {canOpen ? (
          <ButtonLink href={`/withdraw/review/${record.draftId}`} size="small">
            {pending.open}
          </ButtonLink>
        ) : (
          <Button size="small" variant="danger" onClick={giveUp}>
            {review.giveUp}
          </Button>
        )}
      </p>
    </Notice>
  );
}
