import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { SecurityPage } from './_components/security-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).account.security.title };
}

export default async function Page() {
  await requirePageSession('/security');
  return <SecurityPage />;
}
