import { useRoomWords } from '../../../_words/use-room-words.ts';

/** Says that a list ends before its end. */
export function CutShort({ shown, total }: { shown: number; total: number }) {
  const room = useRoomWords();
  if (shown >= total) return null;
  return <p className="text-muted text-sm">{room.cutShort(shown, total)}</p>;
}
