import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { en } from '../../_words/en.ts';
import { OverviewPage } from './_components/overview-page.tsx';

export const metadata: Metadata = { title: en.operator.overview };

export default async function Page() {
  await requirePageSession('/operator');
  return <OverviewPage />;
}
