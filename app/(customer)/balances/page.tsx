import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { BalancesPage } from './_components/balances-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).account.balances.title };
}

export default async function Page() {
  await requirePageSession('/balances');
  return <BalancesPage />;
}
