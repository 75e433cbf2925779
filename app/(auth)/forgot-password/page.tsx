import type { Metadata } from 'next';
import { EntryFrame } from '../../_components/entry-frame.tsx';
import { readWords } from '../../_words/read-words.ts';
import { ForgotPasswordForm } from '../_components/forgot-password-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).entry.forgot.title };
}

export default async function Page() {
  const { forgot } = (await readWords()).entry;
  return (
    <EntryFrame title={forgot.title} lead={forgot.lead}>
      <ForgotPasswordForm />
    </EntryFrame>
  );
}
