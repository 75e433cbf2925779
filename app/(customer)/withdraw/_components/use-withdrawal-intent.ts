'use client';

import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { usePerson } from '../../../_session/person-context.tsx';
import type { WithdrawalView } from '../../../_trpc/api-types.ts';
import { type ApiError, type RefusalView, readApiError } from '../../../_trpc/read-api-error.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { readPending } from './browser-store.ts';
import { type IntentState, isStepUpRefusal, nextIntentState, nextLookUpDelayMs } from './intent-state.ts';
import { mayHaveArrived, type PendingRecord } from './pending-record.ts';
import { refusalEffect } from './refusal-effect.ts';
import { noteAccepted, noteAnswer, noteEnded, reserveSend } from './reserve-send.ts';
import { fingerprintOfDraft, requestOfDraft, type StepUp, type WithdrawalDraft } from './withdrawal-draft.ts';

export type WithdrawalIntent = {
  state: IntentState;
  /**
   * The press on Withdraw, on Check again, or Enter: all of them carry on with the one key of this draft. What confirms
   * the request goes along with it and is no part of what the key stands for.
   */
  press: (stepUp: StepUp | null) => void;
  /** Closes the key for good on the server; only then may the same values be asked for under a new one. */
  giveUp: () => void;
  /** Only asks about the key. True when there is nothing more to do now: the doubt ended, or asking makes no sense. */
  check: () => Promise<boolean>;
};

/**
 * Owns the key of one reviewed request: mints it at the press, stores it before it is sent, and keeps it until a
 * definitive answer. Presses while one is being carried out are ignored, in the same tick too.
 */
export function useWithdrawalIntent(draft: WithdrawalDraft): WithdrawalIntent {
  const client = useTRPCClient();
  const { userId } = usePerson();
  const [state, dispatch] = useReducer(nextIntentState, { kind: 'ready', note: null });
  const busy = useRef(false);
  /** The deed that is carried out or was last; it never rejects. */
  const running = useRef<Promise<unknown>>(Promise.resolve());
  const checking = useRef(false);
  /** A press that came while the page was asking by itself: carried out as soon as the asking found nothing. */
  const pressedMeanwhile = useRef<number | null>(null);
  /** The key of this page got its end. A later press, even in the same tick, must not mint another. */
  const ended = useRef(false);
  /** The newest confirmation; every copy of the request that is sent from here carries it. */
  const confirmation = useRef<StepUp | null>(null);
  const { draftId } = draft;
  // Begun before the press, so that the press itself waits for nothing.
  const fingerprint = useMemo(() => fingerprintOfDraft(draft, window.crypto.subtle), [draft]);

  const endRefused = useCallback(
    async (key: string, refusal: RefusalView) => {
      ended.current = true;
      await noteEnded({ personId: userId, draftId }, key);
      dispatch({ type: 'refused', refusal, effect: 'kept', unansweredSends: 0 });
    },
    [draftId, userId],
  );

  const end = useCallback(
    async (key: string, withdrawal: WithdrawalView, replayed: boolean) => {
      if (withdrawal.status === 'refused') return endRefused(key, keptRefusal(key, withdrawal.refusal));
      ended.current = true;
      await noteAccepted({ personId: userId, draftId }, withdrawal.withdrawalId);
      dispatch({ type: 'accepted', withdrawalId: withdrawal.withdrawalId, replayed });
    },
    [draftId, endRefused, userId],
  );

  /** Asks the server about the key. True when that ended the doubt, or when asking again makes no sense now. */
  const lookUp = useCallback(
    async (record: PendingRecord): Promise<boolean> => {
      dispatch({ type: 'look_up_began' });
      try {
        const { withdrawal } = await client.withdrawal.byKey.query({ idempotencyKey: record.key });
        if (withdrawal === null) {
          dispatch({ type: 'look_up_ended', refusal: null });
          return false;
        }
        await end(record.key, withdrawal, true);
        return true;
      } catch (error) {
        const answer = readApiError(error);
        if (answer.kind === 'answered' && answer.refusal.code === 'given_up') {
          await endRefused(record.key, answer.refusal);
          return true;
        }
        dispatch({ type: 'look_up_ended', refusal: noteOf(answer) });
        // Signed out or told to slow down: the same would be said to a resend.
        return answer.kind === 'answered' && answer.httpStatus < 500;
      }
    },
    [client, end, endRefused],
  );

  const send = useCallback(
    async (record: PendingRecord, clickedAt: number) => {
      try {
        const { replayed, withdrawal } = await client.withdrawal.request.mutate(
          requestOfDraft(draft, clickedAt, confirmation.current),
          { context: { idempotencyKey: record.key } },
        );
        await end(record.key, withdrawal, replayed);
      } catch (error) {
        const answer = readApiError(error);
        const effect = refusalEffect(answer);
        if (answer.kind === 'silent' || effect === 'unknown') {
          dispatch({ type: 'unanswered' });
          return;
        }
        // Sent once more, a refused code would only be one wrong attempt more.
        if (isStepUpRefusal(answer.refusal)) confirmation.current = null;
        const unansweredSends = await noteAnswer({ personId: userId, draftId }, record.key);
        if (effect === 'kept' || (effect === 'not_kept' && unansweredSends === 0)) {
          await endRefused(record.key, answer.refusal);
        } else dispatch({ type: 'refused', refusal: answer.refusal, effect, unansweredSends });
      }
    },
    [client, draft, draftId, end, endRefused, userId],
  );

  const carryOut = useCallback(
    async (clickedAt: number, lookedUp: boolean): Promise<void> => {
      const reservation = await reserveSend(
        { personId: userId, draftId },
        {
          fingerprint: await fingerprint,
          now: new Date(clickedAt).toISOString(),
          online: navigator.onLine,
          lookedUp,
        },
      );
      switch (reservation.kind) {
        case 'send':
          dispatch({ type: 'pressed' }); // Busy again after a look-up that found nothing.
          return send(reservation.record, clickedAt);
        case 'look_up_first':
          return (await lookUp(reservation.record)) ? undefined : carryOut(clickedAt, true);
        case 'settled':
          return dispatch({ type: 'accepted', withdrawalId: reservation.withdrawalId, replayed: true });
        case 'not_reached':
          return dispatch({ type: 'not_reached', reason: reservation.reason });
        case 'gone':
          return dispatch({ type: 'gone' });
      }
    },
    [draftId, fingerprint, lookUp, send, userId],
  );

  /** Runs one deed at a time; a deed that breaks leaves the page in doubt, never in a state that invites a new key. */
  const alone = useCallback((deed: () => Promise<unknown>) => {
    if (busy.current) return;
    busy.current = true;
    running.current = deed()
      .catch(() => dispatch({ type: 'unanswered' }))
      .finally(() => {
        busy.current = false;
      });
  }, []);

  const press = useCallback(
    (stepUp: StepUp | null) => {
      if (ended.current) return;
      if (stepUp !== null) confirmation.current = stepUp;
      const clickedAt = Date.now();
      if (busy.current) {
        pressedMeanwhile.current = clickedAt;
        return;
      }
      alone(() => {
        dispatch({ type: 'pressed' });
        return carryOut(clickedAt, false);
      });
    },
    [alone, carryOut],
  );

  const lookUpAlone = useCallback(
    (record: PendingRecord) =>
      alone(async () => {
        pressedMeanwhile.current = null;
        if (await lookUp(record)) return;
        const clickedAt: number | null = pressedMeanwhile.current;
        if (clickedAt !== null) await carryOut(clickedAt, true);
      }),
    [alone, carryOut, lookUp],
  );

  const check = useCallback(async (): Promise<boolean> => {
    if (checking.current) return true;
    checking.current = true;
    try {
      // The page may be asking by itself at this very moment.
      await running.current;
      const record = readPending(userId, draftId);
      if (record === null || busy.current || ended.current) return true;
      let isOver = true;
      alone(async () => {
        isOver = await lookUp(record);
      });
      await running.current;
      return isOver;
    } finally {
      checking.current = false;
    }
  }, [alone, draftId, lookUp, userId]);

  const giveUp = useCallback(() => {
    const record = readPending(userId, draftId);
    if (record === null) return;
    alone(async () => {
      dispatch({ type: 'look_up_began' });
      try {
        const answer = await client.withdrawal.giveUp.mutate({ idempotencyKey: record.key });
        if (answer.kind === 'exists') return end(record.key, answer.withdrawal, true);
        ended.current = true;
        await noteEnded({ personId: userId, draftId }, record.key);
        dispatch({ type: 'given_up' });
      } catch (error) {
        const answer = readApiError(error);
        dispatch({ type: 'look_up_ended', refusal: noteOf(answer) });
      }
    });
  }, [alone, client, draftId, end, userId]);

  // A key that may have arrived outlives reload, crash and Back: the page comes up in doubt and looks it up.
  useEffect(() => {
    const resume = () => {
      const record = readPending(userId, draftId);
      if (record !== null && mayHaveArrived(record)) dispatch({ type: 'resumed' });
    };
    resume();
    window.addEventListener('pageshow', resume);
    return () => window.removeEventListener('pageshow', resume);
  }, [draftId, userId]);

  // In doubt the page asks again by itself, ever more slowly; it never sends by itself.
  const waiting = lookUpsBeforeNext(state);
  useEffect(() => {
    if (waiting === null) return;
    const timer = setTimeout(() => {
      const record = readPending(userId, draftId);
      if (record !== null) lookUpAlone(record);
    }, nextLookUpDelayMs(waiting));
    return () => clearTimeout(timer);
  }, [draftId, lookUpAlone, userId, waiting]);

  return { state, press, giveUp, check };
}

/** How many look-ups came before the one to schedule; null where none is due. Signed out, only a press asks again. */
function lookUpsBeforeNext(state: IntentState): number | null {
  if (state.kind !== 'unknown' || state.checking || state.note?.code === 'unauthorized') return null;
  return state.lookUps;
}

/** What a person can do something about: sign in, wait. A server in trouble is said by the doubt itself. */
function noteOf(answer: ApiError): RefusalView | null {
  return answer.kind === 'answered' && answer.httpStatus < 500 ? answer.refusal : null;
}

/** A refusal that stands on the row is found by the key of the row. */
function keptRefusal(key: string, refusal: { code: string; message: string } | null): RefusalView {
  const { code, message } = refusal ?? { code: 'refused', message: '' };
  return { code, message, detail: null, fields: [], withdrawalId: null, reference: key };
}
