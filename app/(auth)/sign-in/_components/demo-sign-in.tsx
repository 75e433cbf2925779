'use client';

import { useRef, useState } from 'react';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { readReferenceOf } from '../../../_trpc/read-api-error.ts';
import { useWords } from '../../../_words/use-words.ts';

const PEOPLE = [
  { who: 'alice', name: 'Alice', role: 'customer' },
  { who: 'bob', name: 'Bob', role: 'customer' },
  { who: 'olga', name: 'Olga', role: 'operator' },
  { who: 'oscar', name: 'Oscar', role: 'approver' },
  { who: 'petra', name: 'Petra', role: 'approver' },
  { who: 'ada', name: 'Ada', role: 'auditor' },
] as const;

/** One press signs a demo person in. The server refuses it outside demo mode, whatever this page shows. */
export function DemoSignIn({ returnTo }: { returnTo: string }) {
  const { signIn } = useWords();
  const [busy, setBusy] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const [reference, setReference] = useState<string | null>(null);
  const running = useRef(false);
  const enter = async (who: string) => {
    if (running.current) return;
    running.current = true;
    setBusy(who);
    setFailed(false);
    const response = await fetch('/api/demo/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ who }),
    }).catch(() => null);
    if (response?.ok) {
      window.location.assign(returnTo);
      return;
    }
    running.current = false;
    setBusy(null);
    setReference(response === null ? null : readReferenceOf(response.headers));
    setFailed(true);
  };
  return (
    <section className="space-y-3" aria-labelledby="demo-title">
      <h2 id="demo-title" className="text-center text-muted text-sm">
        {signIn.demo}
      </h2>
      <ul className="grid grid-cols-1 gap-2.5 min-[24rem]:grid-cols-2">
        {PEOPLE.map(({ who, name, role }) => (
          <li key={who}>
            <Button
              className="w-full whitespace-nowrap px-2"
              busy={busy === who}
              aria-describedby={`demo-role-${who}`}
              onClick={() => enter(who)}
            >
              {signIn.demoAs(name)}
            </Button>
            <p id={`demo-role-${who}`} className="pt-1 text-center text-muted text-xs">
              {signIn.demoRole[role]}
            </p>
          </li>
        ))}
      </ul>
      <p role="status" className="text-center text-bad text-sm">
        {failed ? signIn.unreachable : ''}
      </p>
      {failed && <Reference id={reference} />}
    </section>
  );
}
