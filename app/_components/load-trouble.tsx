import { readReference } from '../_trpc/read-api-error.ts';
import { useWords } from '../_words/use-words.ts';
import { Reference } from './reference.tsx';
import { Button } from './ui/button.tsx';

type LoadTroubleProps = { error: unknown; onRetry: () => void; className?: string };

/** Something could not be loaded: what it means, a way to ask again, and what to name to the support. */
export function LoadTrouble({ error, onRetry, className = 'p-6' }: LoadTroubleProps) {
  const { site } = useWords();
  return (
    <div className={`space-y-3 ${className}`} role="status">
      <p>{site.couldNotLoad}</p>
      <Reference id={readReference(error)} />
      <Button onClick={onRetry}>{site.tryAgain}</Button>
    </div>
  );
}
