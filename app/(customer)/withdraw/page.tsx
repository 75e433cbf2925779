import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { WithdrawPage } from './_components/withdraw-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).form.title };
}

export default async function Page({ searchParams }: { searchParams: Promise<Search> }) {
  await requirePageSession('/withdraw');
  const { draft, asset } = await searchParams;
  return <WithdrawPage fromDraftId={one(draft)} asset={one(asset)} />;
}

type Search = { draft?: string | string[]; asset?: string | string[] };

function one(value: string | string[] | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
