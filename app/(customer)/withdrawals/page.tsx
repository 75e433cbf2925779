import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { en } from '../../_words/en.ts';
import { HistoryPage } from './_components/history-page.tsx';

export const metadata: Metadata = { title: en.history.title };

export default async function Page() {
  await requirePageSession('/withdrawals');
  return <HistoryPage />;
}
