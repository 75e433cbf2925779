'use client';

import { LeadHeading } from '../../../_components/lead-heading.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';

/** Where to send coins, and what has come. */
export function DepositsPage() {
  const { deposits: words } = useAccountWords();
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <LeadHeading title={words.title} lead={words.lead} />
      <Card className="space-y-1 text-center">
        <h2 className="font-semibold">{words.none}</h2>
        <p className="text-muted text-sm">{words.noneMore}</p>
      </Card>
      <Card className="space-y-2">
        <h2 className="font-semibold">{words.history}</h2>
        <p className="text-muted text-sm">{words.empty}</p>
      </Card>
    </div>
  );
}
