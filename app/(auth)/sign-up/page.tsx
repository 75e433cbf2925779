import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { EntryFrame } from '../../_components/entry-frame.tsx';
import { readPageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { SignUpForm } from '../_components/sign-up-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).entry.signUp.title };
}

export default async function Page() {
  if ((await readPageSession()) !== null) redirect('/');
  const { signUp } = (await readWords()).entry;
  return (
    <EntryFrame title={signUp.title} lead={signUp.lead}>
      <SignUpForm />
    </EntryFrame>
  );
}
