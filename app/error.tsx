'use client';

import { Button } from './_components/ui/button.tsx';
import { useWords } from './_words/use-words.ts';

/** A page broke. Withdrawals live on the server, and the sentence says so. */
export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const { site } = useWords();
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-xl space-y-4 px-4 py-20">
      <h1 className="font-semibold text-2xl tracking-tight">{site.somethingBroke}</h1>
      <p className="text-muted">{site.somethingBrokeMore}</p>
      <Button variant="primary" onClick={reset}>
        {site.loadAgain}
      </Button>
      {error.digest !== undefined && (
        <p className="text-muted text-sm">
          {site.reference}: <span className="font-mono">{error.digest}</span>
        </p>
      )}
    </main>
  );
}
