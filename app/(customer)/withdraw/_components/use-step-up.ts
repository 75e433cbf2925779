'use client';

import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { signWithPasskey } from '../../../_session/sign-with-passkey.ts';
import type { StepUpNeed } from '../../../_trpc/api-types.ts';
import { readReference } from '../../../_trpc/read-api-error.ts';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { requestOfDraft, type StepUp, type WithdrawalDraft } from './withdrawal-draft.ts';

export type StepUpMethod = 'totp' | 'passkey';
export type StepUpProblem = { kind: 'code_missing' | 'passkey_failed'; reference: string | null } | null;

export type StepUpState = {
  /** Null until it is known whether the values have to be confirmed. */
  need: StepUpNeed | null;
  method: StepUpMethod;
  code: string;
  problem: StepUpProblem;
  busy: boolean;
  choose: (method: StepUpMethod) => void;
  type: (code: string) => void;
  /** What goes along with the request; `wait` when the person has something to do first. */
  collect: () => Promise<StepUp | null | 'wait'>;
  /** A code that was refused is of no use again. */
  refused: () => void;
};

/** What has to confirm a reviewed request, and the code or signature for it. The server decides; this only prepares. */
export function useStepUp(draft: WithdrawalDraft): StepUpState {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const query = useQuery({ ...trpc.withdrawal.stepUp.queryOptions(requestOfDraft(draft, null)), staleTime: 0 });
  const need = query.data ?? null;
  const [chosen, setChosen] = useState<StepUpMethod | null>(null);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<StepUpProblem>(null);
  const [busy, setBusy] = useState(false);
  const asking = useRef(false);
  const method = chosen ?? (need?.methods.includes('totp') === false ? 'passkey' : 'totp');

  const sign = async (): Promise<StepUp | 'wait'> => {
    if (asking.current) return 'wait';
    asking.current = true;
    setBusy(true);
    try {
      const { challengeId, options } = await client.withdrawal.beginStepUp.mutate(requestOfDraft(draft, null));
      const answer = await signWithPasskey(options);
      if (answer !== null) return { kind: 'passkey', challengeId, answer };
      // Nothing was sent, and the page says so.
      setProblem({ kind: 'passkey_failed', reference: null });
      return 'wait';
    } catch (error) {
      setProblem({ kind: 'passkey_failed', reference: readReference(error) });
      return 'wait';
    } finally {
      asking.current = false;
      setBusy(false);
    }
  };

  const collect = async (): Promise<StepUp | null | 'wait'> => {
    if (need === null || need.reasons.length === 0 || need.methods.length === 0) return null;
    setProblem(null);
    if (method === 'passkey') return sign();
    if (!/^\d{6}$/.test(code.replace(/\s/g, ''))) {
      setProblem({ kind: 'code_missing', reference: null });
      document.getElementById('step-up-code')?.focus();
      return 'wait';
    }
    return { kind: 'totp', code };
  };

  return {
    need,
    method,
    code,
    problem,
    busy,
    choose: (next) => {
      setChosen(next);
      setProblem(null);
    },
    type: (text) => {
      setCode(text);
      setProblem(null);
    },
    collect,
    refused: () => {
      setCode('');
      query.refetch();
    },
  };
}
