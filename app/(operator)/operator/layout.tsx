import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { readEnv } from '#server/env.ts';
import { readPageSession } from '../../_session/read-page-session.ts';
import { OperatorFrame } from './_components/operator-frame.tsx';

export default async function OperatorLayout({ children }: { children: ReactNode }) {
  const session = await readPageSession();
  // Each page sends its visitor to sign-in itself, for only the page knows where to come back to.
  if (session === null) return children;
  // To a customer these pages do not exist.
  if (session.role === 'customer') notFound();
  const { userId, name, email, role } = session;
  return (
    <OperatorFrame person={{ userId, name, email, role }} demoMode={readEnv().demoMode}>
      {children}
    </OperatorFrame>
  );
}
