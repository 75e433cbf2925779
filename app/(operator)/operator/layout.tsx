import { notFound, redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { readEnv } from '#server/env.ts';
import { readPageSession } from '../../_session/read-page-session.ts';
import { OperatorFrame } from './_components/operator-frame.tsx';

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const session = await readPageSession();
  if (session === null) redirect('/sign-in?next=/operator');
  // To a customer these pages do not exist.
  if (session.role === 'customer') notFound();
  const { userId, name, email, role } = session;
  return (
    <OperatorFrame person={{ userId, name, email, role }} demoMode={readEnv().demoMode}>
      {children}
    </OperatorFrame>
  );
}
