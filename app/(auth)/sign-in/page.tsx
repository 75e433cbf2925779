import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { EntryFrame } from '../../_components/entry-frame.tsx';
import { readPageSession } from '../../_session/read-page-session.ts';
import { safeReturnPath } from '../../_session/safe-return-path.ts';
import { readWords } from '../../_words/read-words.ts';
import { DemoSignIn } from './_components/demo-sign-in.tsx';
import { SignInForm } from './_components/sign-in-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await readWords()).signIn.title };
}

export default async function Page({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const returnTo = safeReturnPath(next);
  if ((await readPageSession()) !== null) redirect(returnTo);
  const { signIn } = await readWords();
  return (
    <EntryFrame title={signIn.title} lead={signIn.lead}>
      <SignInForm returnTo={returnTo} />
      {process.env.DEMO_MODE === '1' && (
        <div className="border-line border-t pt-6">
          <DemoSignIn returnTo={returnTo} />
        </div>
      )}
    </EntryFrame>
  );
}
