'use client';

import { Download } from 'lucide-react';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useCsvDownload } from './use-csv-download.ts';

type CsvDownloadProps = {
  path: string;
  /** Asked when it is pressed: what is made while a page is drawn on the server is by the server's midnight. */
  asked: () => Readonly<Record<string, string | boolean>>;
};

/** The whole list as a file, by the same filters. The server sends it as it is read, and makes formulas in it harmless. */
export function CsvDownload({ path, asked }: CsvDownloadProps) {
  const room = useRoomWords();
  const { busy, trouble, take } = useCsvDownload(path, asked);
  return (
    <div className="space-y-2">
      <Button size="small" busy={busy} onClick={() => void take()}>
        <Download aria-hidden="true" className="size-4" />
        {busy ? room.working : room.export}
      </Button>
      <div role="alert" className="max-w-80 text-bad text-sm empty:hidden">
        {trouble !== null && (
          <>
            <p>{trouble.text}</p>
            <Reference id={trouble.reference} />
          </>
        )}
      </div>
    </div>
  );
}
