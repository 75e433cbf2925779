'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Does one thing at a time to the demo and says what came of it. */
export function useLabDeed() {
  const room = useRoomWords();
  const { refusal } = useWords();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const underWay = useRef(false);
  const act = (deed: () => Promise<unknown>, done: string): void => {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    deed()
      .then(
        () => setSaid(done),
        (error: unknown) => {
          const answer = readApiError(error);
          setSaid(
            answer.kind === 'silent' ? room.unknownOutcome : refusal(answer.refusal.code, answer.refusal.message),
          );
        },
      )
      .finally(() => {
        underWay.current = false;
        setBusy(false);
        void queries.invalidateQueries();
      });
  };
  return { busy, said, act };
}
