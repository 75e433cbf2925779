import { useState } from 'react';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { askAuth } from '../../../_session/ask-auth.ts';
import { usePerson } from '../../../_session/person-context.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { useSecurityDeed } from './use-security-deed.ts';

/** Whether the address is confirmed, and the link once more. */
export function EmailCard({ verified }: { verified: boolean }) {
  const { security: words } = useAccountWords();
  const { email } = usePerson();
  const [sent, setSent] = useState(false);
  const { busy, problem, reference, run, say } = useSecurityDeed();
  const send = () =>
    run(async () => {
      const answer = await askAuth('send-verification-email', { email });
      if (answer.kind === 'done') setSent(true);
      else say(words.failed, answer.reference);
    });
  return (
    <Card className="space-y-3" aria-labelledby="email-title">
      <h2 id="email-title" className="font-semibold">
        {words.email}
      </h2>
      <p className="[overflow-wrap:anywhere]">{email}</p>
      <p className="text-muted text-sm">{verified ? words.emailVerified : words.emailOpen}</p>
      {!verified && (
        <Button busy={busy} onClick={send}>
          {words.emailAgain}
        </Button>
      )}
      <p role="status" className="text-sm">
        {problem ?? (sent ? words.emailSent : '')}
      </p>
      <Reference id={reference} />
    </Card>
  );
}
