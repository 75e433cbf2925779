'use client';

import { useSyncExternalStore } from 'react';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { BalancesStrip } from './balances-strip.tsx';
import { readDraftText, readSettled, subscribeToStore } from './browser-store.ts';
import { EMPTY_FORM, type FormValues } from './form-rules.ts';
import { RecentWithdrawals } from './recent-withdrawals.tsx';
import { parseWithdrawalDraft } from './withdrawal-draft.ts';
import { WithdrawalForm } from './withdrawal-form.tsx';

/**
 * Arranges the form beside balances and recent withdrawals. `fromDraftId` brings a review's values back to change; `asset`
 * is what somebody chose on another page.
 */
export function WithdrawPage({ fromDraftId, asset }: { fromDraftId: string | null; asset: string | null }) {
  const { form } = useWords();
  const { userId } = usePerson();
  const draftText = useSyncExternalStore(
    subscribeToStore,
    () => {
      // A review that became a withdrawal is not offered again: typing it anew is a decision of its own.
      if (fromDraftId === null || readSettled(userId, fromDraftId) !== null) return null;
      return readDraftText(userId, fromDraftId);
    },
    () => null,
  );
  return (
    <>
      <div className="space-y-1">
        <PageHeading>{form.title}</PageHeading>
        <p className="text-muted">{form.lead}</p>
      </div>
      <BalancesStrip />
      <WithdrawalForm key={draftText ?? 'empty'} initial={formOfDraft(draftText, asset)} />
      <RecentWithdrawals />
    </>
  );
}

function formOfDraft(text: string | null, assetId: string | null): FormValues {
  const draft = parseWithdrawalDraft(text);
  if (draft === null) return { ...EMPTY_FORM, assetId: assetId ?? '' };
  const { asset, network, address, memo, amount, feeMode } = draft;
  return { assetId: asset, networkId: network, address, memo: memo ?? '', noMemo: false, amount, feeMode };
}
