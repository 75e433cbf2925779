'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import { usePerson } from '../../../_session/person-context.tsx';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { nextLookUpDelayMs } from './intent-state.ts';
import type { PendingRecord } from './pending-record.ts';
import { noteAccepted, noteEnded } from './reserve-send.ts';

export type PendingState =
  | { kind: 'checking'; lookUps: number; stopped: boolean }
  | { kind: 'found'; withdrawalId: string }
  | { kind: 'refused' }
  | { kind: 'given_up' };

/** Looks one stored key up until the server knows it, ever more slowly. It never sends: that takes a press. */
export function usePendingLookUp(record: PendingRecord) {
  const client = useTRPCClient();
  const { userId } = usePerson();
  const [state, setState] = useState<PendingState>({ kind: 'checking', lookUps: 0, stopped: false });
  const busy = useRef(false);
  const { draftId, key } = record;

  const settle = useCallback(
    async (withdrawal: { withdrawalId: string; status: string }) => {
      const place = { personId: userId, draftId };
      if (withdrawal.status === 'refused') {
        setState({ kind: 'refused' });
        await noteEnded(place, key);
        return;
      }
      setState({ kind: 'found', withdrawalId: withdrawal.withdrawalId });
      await noteAccepted(place, withdrawal.withdrawalId);
    },
    [draftId, key, userId],
  );

  const alone = useCallback(
    async (ask: () => Promise<boolean>) => {
      if (busy.current) return;
      busy.current = true;
      let stopped = false;
      try {
        if (await ask()) return;
      } catch (error) {
        const answer = readApiError(error);
        if (answer.kind === 'answered' && answer.refusal.code === 'given_up') {
          setState({ kind: 'given_up' });
          await noteEnded({ personId: userId, draftId }, key);
          return;
        }
        stopped = answer.kind === 'answered' && answer.httpStatus === 401;
      } finally {
        busy.current = false;
      }
      setState((before) => (before.kind === 'checking' ? { ...before, lookUps: before.lookUps + 1, stopped } : before));
    },
    [draftId, key, userId],
  );

  const lookUp = useCallback(
    () =>
      alone(async () => {
        const { withdrawal } = await client.withdrawal.byKey.query({ idempotencyKey: key });
        if (withdrawal !== null) await settle(withdrawal);
        return withdrawal !== null;
      }),
    [alone, client, key, settle],
  );

  const giveUp = useCallback(
    () =>
      alone(async () => {
        const answer = await client.withdrawal.giveUp.mutate({ idempotencyKey: key });
        if (answer.kind === 'exists') await settle(answer.withdrawal);
        else {
          setState({ kind: 'given_up' });
          await noteEnded({ personId: userId, draftId }, key);
        }
        return true;
      }),
    [alone, client, draftId, key, settle, userId],
  );

  const waiting = state.kind === 'checking' && !state.stopped ? state.lookUps : null;
  useEffect(() => {
    if (waiting === null) return;
    const timer = setTimeout(lookUp, nextLookUpDelayMs(waiting));
    return () => clearTimeout(timer);
  }, [lookUp, waiting]);

  return { state, lookUp, giveUp };
}
