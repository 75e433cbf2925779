import { redirect } from 'next/navigation';
import { readPageSession } from './_session/read-page-session.ts';

export default async function RootPage() {
  const session = await readPageSession();
  if (session === null) redirect('/sign-in');
  redirect(session.role === 'customer' ? '/withdraw' : '/operator');
}
