import { useEffect, useState } from 'react';
import { Reference } from '../../../_components/reference.tsx';
import { Button, ButtonLink } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { signInPath } from '../../../_session/sign-in-path.ts';
import type { RefusalView } from '../../../_trpc/read-api-error.ts';
import { useWords } from '../../../_words/use-words.ts';
import { FeeBeforeAndNow, FeeNews } from './fee-news.tsx';
import type { IntentState } from './intent-state.ts';
import { useDraftAgain } from './use-draft-again.ts';
import type { WithdrawalDraft } from './withdrawal-draft.ts';

const STILL_WORKING_AFTER_MS = 8_000; // Past this a person begins to wonder whether to press again.

type ReviewOutcomeProps = {
  draft: WithdrawalDraft;
  state: IntentState;
  sentElsewhere: boolean;
  /** Where nobody answered, the key of the request is what the support can look for. */
  pendingKey: string | null;
};

/** What became of the press, in one of five ways; in doubt it is amber and never called failed. */
export function ReviewOutcome({ draft, state, sentElsewhere, pendingKey }: ReviewOutcomeProps) {
  const { review } = useWords();
  switch (state.kind) {
    case 'ready':
      if (sentElsewhere) return <Notice tone="good" title={review.sentElsewhere} />;
      if (state.note !== null) return <Held draft={draft} note={state.note} />;
      return <Before draft={draft} />;
    case 'sending':
      return <StillWorking />;
    case 'accepted':
      return <Notice tone="good" title={review.accepted} />;
    case 'refused':
      return <Refused draft={draft} refusal={state.refusal} />;
    case 'not_reached':
      return state.reason === 'offline' ? (
        <Notice tone="info" title={review.offlineTitle}>
          <p>{review.offline}</p>
        </Notice>
      ) : (
        <NotStored />
      );
    case 'unknown':
      return (
        <Notice tone="warn" title={review.unknownTitle} data-testid="pending-banner">
          <p>{review.unknown}</p>
          {state.note === null ? <Reference id={pendingKey} /> : <Said draft={draft} note={state.note} />}
        </Notice>
      );
    case 'given_up':
      return (
        <Notice tone="info" title={review.givenUpTitle}>
          <EditLink draft={draft} />
        </Notice>
      );
    case 'gone':
      return null;
  }
}

/** What is to be known before the press. */
function Before({ draft }: { draft: WithdrawalDraft }) {
  const { review } = useWords();
  return (
    <div className="space-y-3">
      {draft.lookAlikeOf !== null && <Notice tone="warn" title={review.onPurpose} />}
      <FeeNews draft={draft} />
    </div>
  );
}

function StillWorking() {
  const { review } = useWords();
  const [long, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), STILL_WORKING_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return long ? <Notice tone="info" title={review.stillWorking} /> : null;
}

function NotStored() {
  const { review, form } = useWords();
  return (
    <Notice tone="warn" title={review.storageTitle}>
      <p>{form.notStored}</p>
    </Notice>
  );
}

/** The request was not looked at; the same button carries on with the same key. */
function Held({ draft, note }: { draft: WithdrawalDraft; note: RefusalView }) {
  const words = useWords();
  return (
    <Notice tone="warn" title={words.review.heldTitle}>
      <p>{words.refusal(note.code, note.message)}</p>
      <p>{words.review.held}</p>
      <Reference id={note.reference} />
      {note.code === 'unauthorized' && <SignInLink draft={draft} />}
    </Notice>
  );
}

/** What a retry was told while the first send is still in doubt. It decides nothing. */
function Said({ draft, note }: { draft: WithdrawalDraft; note: RefusalView }) {
  const words = useWords();
  return (
    <>
      <p>
        {words.review.saidMeanwhile} {words.refusal(note.code, note.message)}
      </p>
      <Reference id={note.reference} />
      {note.code === 'unauthorized' && <SignInLink draft={draft} />}
    </>
  );
}

function Refused({ draft, refusal }: { draft: WithdrawalDraft; refusal: RefusalView }) {
  const words = useWords();
  const { again, busy } = useDraftAgain(draft);
  return (
    <Notice tone="bad" title={words.review.refusedTitle}>
      <p>{words.refusal(refusal.code, refusal.message)}</p>
      {refusal.detail !== null && <p>{refusal.detail}</p>}
      {refusal.code === 'fee_changed' && <FeeBeforeAndNow draft={draft} />}
      <Reference id={refusal.reference} />
      <div className="flex flex-wrap gap-2 pt-1">
        <EditLink draft={draft} />
        {refusal.code === 'look_alike' && refusal.withdrawalId !== null && (
          <ButtonLink href={`/withdrawals/${refusal.withdrawalId}`}>{words.review.seeFirst}</ButtonLink>
        )}
        {refusal.code === 'look_alike' && refusal.withdrawalId !== null && (
          <Button busy={busy} onClick={() => again(refusal.withdrawalId)}>
            {words.review.secondOne}
          </Button>
        )}
        {refusal.code === 'fee_changed' && (
          <Button busy={busy} onClick={() => again(draft.lookAlikeOf)}>
            {words.review.newFee}
          </Button>
        )}
      </div>
    </Notice>
  );
}

function EditLink({ draft }: { draft: WithdrawalDraft }) {
  const { review } = useWords();
  return (
    <ButtonLink href={`/withdraw?draft=${draft.draftId}`} variant="primary">
      {review.edit}
    </ButtonLink>
  );
}

function SignInLink({ draft }: { draft: WithdrawalDraft }) {
  const { review } = useWords();
  return (
    <ButtonLink href={signInPath(`/withdraw/review/${draft.draftId}`)} variant="primary">
      {review.signInAgain}
    </ButtonLink>
  );
}
