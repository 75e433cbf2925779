'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { writeDraft } from './browser-store.ts';
import { amountVerdict } from './form-rules.ts';
import { mintKey } from './mint-key.ts';
import type { WithdrawalDraft } from './withdrawal-draft.ts';

/**
 * Opens a new review of the same values with today's fee. It is a new request with a key of its own, on purpose;
 * `lookAlikeOf` names the withdrawal it deliberately repeats. Where the values no longer fit, the form opens instead.
 */
export function useDraftAgain(draft: WithdrawalDraft) {
  const words = useWords();
  const { userId } = usePerson();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const running = useRef(false);
  const [busy, setBusy] = useState(false);
  const open = async (lookAlikeOf: string | null) => {
    const form = `/withdraw?draft=${draft.draftId}`;
    const options = trpc.withdrawal.quote.queryOptions({ asset: draft.asset, network: draft.network });
    const quote = await queryClient.fetchQuery({ ...options, staleTime: 0 }).catch(() => null);
    if (quote === null) return router.push(form);
    const verdict = amountVerdict(draft, draft.asset, quote, words);
    if (verdict.kind !== 'ok') return router.push(form);
    const draftId = mintKey(window.crypto);
    const { asked: amount, amount: arrives, total } = verdict;
    const fresh = { fee: quote.fee, amount, arrives, total, lookAlikeOf, createdAt: new Date().toISOString() };
    const stored = writeDraft(userId, { ...draft, ...fresh, draftId }, Date.now());
    router.push(stored ? `/withdraw/review/${draftId}` : form);
  };
  const again = async (lookAlikeOf: string | null) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await open(lookAlikeOf);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { again, busy };
}
