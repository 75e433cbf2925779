import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { DepositsPage } from './_components/deposits-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).account.deposits.title };
}

export default async function Page() {
  await requirePageSession('/deposits');
  return <DepositsPage hasFaucet={process.env.DEMO_MODE === '1'} />;
}
