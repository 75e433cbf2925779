'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { PageHeading } from '../../../_components/page-heading.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { readDraftText, readPending, readSettled, subscribeToStore } from './browser-store.ts';
import { type IntentState, stepUpNote } from './intent-state.ts';
import { ReviewClosed, ReviewSettled } from './review-closed.tsx';
import { ReviewFacts } from './review-facts.tsx';
import { ReviewOutcome } from './review-outcome.tsx';
import { StepUpPanel } from './step-up-panel.tsx';
import { useStepUp } from './use-step-up.ts';
import { useWithdrawalIntent } from './use-withdrawal-intent.ts';
import { parseWithdrawalDraft, type WithdrawalDraft } from './withdrawal-draft.ts';

/** The last look before money moves. The draft lives in this browser, so the server renders only the frame. */
export function WithdrawalReview({ draftId }: { draftId: string }) {
  const { review } = useWords();
  const { userId } = usePerson();
  const text = useSyncExternalStore(
    subscribeToStore,
    () => readDraftText(userId, draftId),
    () => undefined,
  );
  const draft = useMemo(() => (text === undefined ? undefined : parseWithdrawalDraft(text)), [text]);
  return (
    <div className="mx-auto max-w-2xl space-y-6">
      <div className="space-y-1">
        <PageHeading>{review.title}</PageHeading>
        <p className="text-muted">{review.lead}</p>
      </div>
      {draft === undefined && <Skeleton className="h-120 w-full rounded-2xl" />}
      {draft === null && <ReviewClosed />}
      {draft && <OpenReview key={draft.draftId} draft={draft} />}
    </div>
  );
}

function OpenReview({ draft }: { draft: WithdrawalDraft }) {
  const { userId } = usePerson();
  const router = useRouter();
  const { state, press, giveUp, check } = useWithdrawalIntent(draft);
  const stepUp = useStepUp(draft);
  const settled = useSyncExternalStore(
    subscribeToStore,
    () => readSettled(userId, draft.draftId),
    () => null,
  );
  const [settledBefore] = useState(settled);
  const acceptedId = state.kind === 'accepted' ? state.withdrawalId : null;
  useEffect(() => {
    // Replaces the review: Back must not lead to a page whose button was already pressed.
    if (acceptedId !== null) router.replace(`/withdrawals/${acceptedId}`);
  }, [acceptedId, router]);

  const refusedCode = stepUpNote(state);
  const onRefused = useEffectEvent(stepUp.refused);
  useEffect(() => {
    if (refusedCode !== null) onRefused();
  }, [refusedCode]);
  const confirm = async () => {
    const collected = await stepUp.collect();
    if (collected !== 'wait') press(collected);
  };
  const pressConfirmed = () => {
    // In doubt the first copy may have spent the code already: asking again needs none.
    if (state.kind === 'unknown' && refusedCode === null) return press(null);
    // Nothing to be confirmed: the press itself, in this very tick.
    if (stepUp.need === null || stepUp.need.reasons.length === 0) return press(null);
    if (state.kind !== 'unknown') return void confirm();
    // To look needs no code; only a request that is not found is sent once more, and that takes a new one.
    void check().then((isOver) => (isOver ? undefined : confirm()));
  };

  if (state.kind === 'gone') return <ReviewClosed />;
  if (settledBefore !== null && acceptedId === null) return <ReviewSettled withdrawalId={settledBefore} />;
  const open = state.kind !== 'refused' && state.kind !== 'given_up';
  return (
    <div className="space-y-5">
      <Card>
        <ReviewFacts
          draft={draft}
          changeable={open && state.kind !== 'unknown'}
          destination={stepUp.need?.destination ?? null}
        />
      </Card>
      <div aria-live="polite">
        <ReviewOutcome
          draft={draft}
          state={state}
          sentElsewhere={settled !== null && acceptedId === null}
          pendingKey={state.kind === 'unknown' ? (readPending(userId, draft.draftId)?.key ?? null) : null}
        />
      </div>
      {open && (state.kind !== 'unknown' || refusedCode !== null) && state.kind !== 'accepted' && (
        <StepUpPanel stepUp={stepUp} onEnter={pressConfirmed} />
      )}
      {open && <PressButton draft={draft} state={state} signing={stepUp.busy} onPress={pressConfirmed} />}
      {state.kind === 'unknown' && <GiveUp busy={state.checking} onGiveUp={giveUp} />}
    </div>
  );
}

/** One button for the whole life of the review: its words change, its place and the focus do not. */
function PressButton(props: { draft: WithdrawalDraft; state: IntentState; signing: boolean; onPress: () => void }) {
  const { draft, state, signing, onPress } = props;
  const { review } = useWords();
  const busy =
    signing || state.kind === 'sending' || state.kind === 'accepted' || (state.kind === 'unknown' && state.checking);
  const label =
    state.kind === 'unknown'
      ? review.checkAgain
      : state.kind === 'sending' || state.kind === 'accepted'
        ? review.busy
        : review.submit(draft.amount, draft.asset);
  return (
    <Button variant="primary" size="large" busy={busy} onClick={onPress}>
      {label}
    </Button>
  );
}

function GiveUp({ busy, onGiveUp }: { busy: boolean; onGiveUp: () => void }) {
  const { review } = useWords();
  return (
    <div className="space-y-1.5 border-line border-t pt-4">
      <Button variant="danger" busy={busy} onClick={onGiveUp} aria-describedby="give-up-meaning">
        {review.giveUp}
      </Button>
      <p id="give-up-meaning" className="text-muted text-sm">
        {review.giveUpMore}
      </p>
    </div>
  );
}
