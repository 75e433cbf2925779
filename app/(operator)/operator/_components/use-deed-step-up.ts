import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import type { DeedStepUp, DeedSubject, StepUp } from './room-types.ts';

const REFRESH_MS = 2_000;

export type DeedStepUpState = {
  /** Null until it is known what this person can confirm with. */
  need: DeedStepUp | null;
  method: 'totp' | 'passkey';
  choose: (method: 'totp' | 'passkey') => void;
  /** The code or the signature for exactly this deed; null when the person has something to do first. */
  collect: (code: string, about: DeedSubject) => Promise<StepUp | null>;
};

/** What confirms a dangerous deed. Asked only while its form is open. */
export function useDeedStepUp(asked: boolean): DeedStepUpState {
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const query = useQuery({
    ...trpc.operator.stepUp.need.queryOptions(),
    enabled: asked,
    // A code of the demo is good for half a minute.
    refetchInterval: REFRESH_MS,
  });
  const [chosen, setChosen] = useState<'totp' | 'passkey' | null>(null);
  const need = query.data ?? null;
  const method = chosen ?? (need?.methods.includes('totp') === false ? 'passkey' : 'totp');
  const collect = async (code: string, about: DeedSubject): Promise<StepUp | null> => {
    if (method === 'totp') return /^\d{6}$/.test(code.replace(/\s/g, '')) ? { kind: 'totp', code } : null;
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const { challengeId, options } = await operator.stepUp.begin.mutate(about);
    try {
      const { id, rawId, response } = await startAuthentication({ optionsJSON: options });
      const { clientDataJSON, authenticatorData, signature } = response;
      const answer = { id, rawId, response: { clientDataJSON, authenticatorData, signature } };
      return { kind: 'passkey', challengeId, answer };
    } catch {
      // Cancelled, or timed out: nothing was sent, and the form says so.
      return null;
    }
  };
  return { need, method, choose: setChosen, collect };
}
