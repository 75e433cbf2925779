import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { CustomerFrame } from '../_components/customer-frame.tsx';
import { readPageSession } from '../_session/read-page-session.ts';

export default async function CustomerLayout({ children }: { children: ReactNode }) {
  const session = await readPageSession();
  // Each page sends its visitor to sign-in itself, for only the page knows where to come back to.
  if (session === null) return children;
  if (session.role !== 'customer') redirect('/operator');
  const { userId, name, email, role } = session;
  return (
    <CustomerFrame
      person={{ userId, name, email, role }}
      sessionEndsAt={session.expiresAt}
      hasMailbox={process.env.DEMO_MODE === '1'}
    >
      {children}
    </CustomerFrame>
  );
}
