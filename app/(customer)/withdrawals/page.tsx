import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { HistoryPage } from './_components/history-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).history.title };
}

export default async function Page() {
  await requirePageSession('/withdrawals');
  return <HistoryPage />;
}
