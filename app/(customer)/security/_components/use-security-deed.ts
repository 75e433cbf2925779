'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Runs one deed of a card at a time, says in words what was refused, and asks anew how things stand. */
export function useSecurityDeed() {
  const words = useWords();
  const { security } = useAccountWords();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async (deed: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      await deed();
    } catch (error) {
      const answer = readApiError(error);
      setProblem(
        answer.kind === 'silent' ? security.failed : words.refusal(answer.refusal.code, answer.refusal.message),
      );
    } finally {
      running.current = false;
      setBusy(false);
      queryClient.invalidateQueries({ queryKey: trpc.security.overview.queryKey() });
    }
  };
  return { busy, problem, run, say: setProblem };
}
