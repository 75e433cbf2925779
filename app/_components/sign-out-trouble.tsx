'use client';

import { useEffect, useRef, useState } from 'react';
import { useWords } from '../_words/use-words.ts';
import { EntryFrame } from './entry-frame.tsx';
import { Reference } from './reference.tsx';
import { Button } from './ui/button.tsx';

/** The server did not hear of the sign-out: in place of everything that was on the page, and with the way to try again. */
export function SignOutTrouble({ reference, again }: { reference: string | null; again: () => Promise<void> }) {
  const { site } = useWords();
  const [busy, setBusy] = useState(false);
  const message = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone with the page, and the focus with it.
  useEffect(() => message.current?.focus(), []);
  const press = async () => {
    if (busy) return;
    setBusy(true);
    await again();
    setBusy(false);
  };
  return (
    <EntryFrame title={site.stillSignedIn} lead={site.stillSignedInLead}>
      <div ref={message} tabIndex={-1} role="alert" className="space-y-4 text-sm" data-testid="sign-out-trouble">
        <p>{site.stillSignedInMore}</p>
        <Reference id={reference} />
        <Button variant="primary" size="large" busy={busy} onClick={press}>
          {busy ? site.signingOut : site.signOutAgain}
        </Button>
      </div>
    </EntryFrame>
  );
}
