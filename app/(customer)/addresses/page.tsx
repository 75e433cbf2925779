import type { Metadata } from 'next';
import { requirePageSession } from '../../_session/read-page-session.ts';
import { readWords } from '../../_words/read-words.ts';
import { AddressesPage } from './_components/addresses-page.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).account.addresses.title };
}

export default async function Page() {
  await requirePageSession('/addresses');
  return <AddressesPage />;
}
