import type { Metadata } from 'next';
import { EntryFrame } from '../../_components/entry-frame.tsx';
import { readWords } from '../../_words/read-words.ts';
import { ResetPasswordForm } from '../_components/reset-password-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  // The address holds the token: no other site may learn it.
  return { title: (await readWords()).entry.reset.title, referrer: 'no-referrer' };
}

export default async function Page({ searchParams }: { searchParams: Promise<{ token?: string | string[] }> }) {
  const { token } = await searchParams;
  const { reset } = (await readWords()).entry;
  return (
    <EntryFrame title={reset.title} lead={reset.lead}>
      <ResetPasswordForm token={typeof token === 'string' ? token : ''} />
    </EntryFrame>
  );
}
