'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { readApiError, readReference } from '../../../_trpc/read-api-error.ts';
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
  const [reference, setReference] = useState<string | null>(null);
  const say = (text: string | null, under: string | null = null) => {
    setProblem(text);
    setReference(under);
  };
  const run = async (deed: () => Promise<void>) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    say(null);
    try {
      await deed();
    } catch (error) {
      const answer = readApiError(error);
      const said =
        answer.kind === 'silent' ? security.failed : words.refusal(answer.refusal.code, answer.refusal.message);
      say(said, readReference(error));
    } finally {
      running.current = false;
      setBusy(false);
      queryClient.invalidateQueries({ queryKey: trpc.security.overview.queryKey() });
    }
  };
  return { busy, problem, reference, run, say };
}
