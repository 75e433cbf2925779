'use client';

import { useState } from 'react';
import { Button } from '../../../_components/ui/button.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Asks for a CSV and gives it to the browser as a file. Formulas in it were made harmless by the server. */
export function CsvDownload({
  name,
  ask,
}: {
  name: string;
  ask: () => Promise<{ csv: string; rows: number; complete: boolean }>;
}) {
  const room = useRoomWords();
  const { site } = useWords();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const download = async () => {
    if (busy) return;
    setBusy(true);
    try {
      const { csv, rows, complete } = await ask();
      const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
      const link = Object.assign(document.createElement('a'), { href: url, download: `${name}.csv` });
      link.click();
      URL.revokeObjectURL(url);
      setSaid(room.exported(rows, complete));
    } catch {
      // Nothing was changed by asking; asking again is all there is to do.
      setSaid(site.couldNotLoad);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="relative flex flex-wrap items-center gap-2">
      <Button size="small" busy={busy} onClick={() => void download()}>
        {room.export}
      </Button>
      <span role="status" className="text-muted text-sm empty:sr-only">
        {said}
      </span>
    </div>
  );
}
