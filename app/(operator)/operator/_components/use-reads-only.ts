'use client';

import { usePerson } from '../../../_session/person-context.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';

/** What is said beside a deed to whoever may only read; null for everybody else. */
export function useReadsOnly(): string | null {
  const room = useRoomWords();
  return usePerson().role === 'auditor' ? room.needsRole('operator') : null;
}
