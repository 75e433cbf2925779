import type { Metadata } from 'next';
import { EntryFrame } from '../../_components/entry-frame.tsx';
import { readWords } from '../../_words/read-words.ts';
import { StartFactorReset } from '../_components/start-factor-reset.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).entry.lostFactor.title, referrer: 'no-referrer' };
}

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  const { lostFactor } = (await readWords()).entry;
  return (
    <EntryFrame title={lostFactor.title} lead={lostFactor.lead}>
      <StartFactorReset token={typeof token === 'string' ? token : ''} />
    </EntryFrame>
  );
}
