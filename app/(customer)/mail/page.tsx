import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { MailPage } from './_components/mail-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).account.mail.title };
}

export default async function Page() {
  await requirePageSession('/mail');
  return <MailPage />;
}
