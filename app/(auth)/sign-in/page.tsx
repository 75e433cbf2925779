import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ThemeSwitch } from '../../_components/theme-switch.tsx';
import { Wordmark } from '../../_components/wordmark.tsx';
import { readPageSession } from '../../_session/read-page-session.ts';
import { safeReturnPath } from '../../_session/safe-return-path.ts';
import { en } from '../../_words/en.ts';
import { DemoSignIn } from './_components/demo-sign-in.tsx';
import { SignInForm } from './_components/sign-in-form.tsx';

export const metadata: Metadata = { title: en.signIn.title };

export default async function Page({ searchParams }: { searchParams: Promise<{ next?: string | string[] }> }) {
  const { next } = await searchParams;
  const returnTo = safeReturnPath(next);
  if ((await readPageSession()) !== null) redirect(returnTo);
  return (
    <main id="main" tabIndex={-1} className="mx-auto flex min-h-dvh max-w-md flex-col justify-center gap-6 px-4 py-10">
      <div className="flex items-center justify-between">
        <span className="flex items-center gap-2">
          <Wordmark />
        </span>
        <ThemeSwitch />
      </div>
      <div className="space-y-6 rounded-2xl border border-line bg-surface p-6 sm:p-8">
        <div className="space-y-1">
          <h1 className="font-semibold text-2xl tracking-tight">{en.signIn.title}</h1>
          <p className="text-muted">{en.signIn.lead}</p>
        </div>
        <SignInForm returnTo={returnTo} />
      </div>
      {process.env.DEMO_MODE === '1' && <DemoSignIn returnTo={returnTo} />}
    </main>
  );
}
