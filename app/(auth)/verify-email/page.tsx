import type { Metadata } from 'next';
import { EntryFrame } from '../../_components/entry-frame.tsx';
import { readWords } from '../../_words/read-words.ts';
import { VerifyEmail } from '../_components/verify-email.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).entry.verify.title, referrer: 'no-referrer' };
}

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  const { verify } = (await readWords()).entry;
  return (
    <EntryFrame title={verify.title} lead={verify.lead}>
      <VerifyEmail token={typeof token === 'string' ? token : ''} />
    </EntryFrame>
  );
}
