'use client';

import { Download } from 'lucide-react';
import { useRoomWords } from '../../../_words/use-room-words.ts';

/** The whole list as a file, by the same filters. The server sends it as it is read, and makes formulas in it harmless. */
export function CsvDownload({ path, asked }: { path: string; asked: Readonly<Record<string, string | boolean>> }) {
  const room = useRoomWords();
  const search = new URLSearchParams(
    Object.entries(asked).map(([name, value]): [string, string] => [name, value === true ? '1' : String(value)]),
  );
  return (
    <a
      href={`${path}?${search}`}
      download
      className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 rounded-xl border border-line bg-surface px-2.5 font-medium text-sm hover:bg-raised"
    >
      <Download aria-hidden="true" className="size-4" />
      {room.export}
    </a>
  );
}
