'use client';

import { useRef, useState } from 'react';
import { readApiError, readReferenceOf } from '../../../_trpc/read-api-error.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';

type Question = Readonly<Record<string, string | boolean>>;
type Trouble = { text: string; reference: string | null };

/**
 * Fetches a file whole and then hands it to the browser: a link could neither say why it was refused nor that it broke off.
 * What is asked for is made when it is asked for, by the clock and the zone of whoever asks.
 */
export function useCsvDownload(path: string, asked: () => Question) {
  const room = useRoomWords();
  const { refusal } = useWords();
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const underWay = useRef(false);

  async function take(): Promise<void> {
    if (underWay.current) return;
    underWay.current = true;
    setBusy(true);
    setTrouble(null);
    try {
      const answer = await fetch(`${path}?${toSearch(asked())}`);
      if (answer.ok) save(await answer.blob(), path.split('/').at(-1) ?? path);
      else setTrouble(await readTrouble(answer));
    } catch {
      setTrouble({ text: room.exportBroke, reference: null });
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }

  async function readTrouble(answer: Response): Promise<Trouble> {
    const body: { error?: unknown } | null = await answer.json().catch(() => null);
    const read = readApiError(body?.error);
    const text = read.kind === 'silent' ? room.exportBroke : refusal(read.refusal.code, read.refusal.message);
    return { text, reference: readReferenceOf(answer.headers) };
  }

  return { busy, trouble, take };
}

function toSearch(asked: Question): string {
  const named = Object.entries(asked).map(([name, value]): [string, string] => [
    name,
    value === true ? '1' : String(value),
  ]);
  return new URLSearchParams(named).toString();
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Not in the same breath: the browser opens it after this.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
