import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { en } from '../../_words/en.ts';
import { WithdrawPage } from './_components/withdraw-page.tsx';

export const metadata: Metadata = { title: en.form.title };

export default async function Page({ searchParams }: { searchParams: Promise<{ draft?: string | string[] }> }) {
  await requirePageSession('/withdraw');
  const { draft } = await searchParams;
  return <WithdrawPage fromDraftId={typeof draft === 'string' ? draft : null} />;
}
