import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { readEnv } from '#server/env.ts';
import { requirePageSession } from '../../../_session/read-page-session.ts';
import { enRoom } from '../../../_words/en-operator-room.ts';
import { FaultLabPage } from '../_components/fault-lab-page.tsx';

export const metadata: Metadata = { title: enRoom.pages.faultLab };

export default async function Page() {
  await requirePageSession('/operator/fault-lab');
  // Outside the demo there is no such page, whoever asks.
  if (!readEnv().demoMode) notFound();
  return <FaultLabPage />;
}
