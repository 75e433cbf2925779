import { useWords } from '../_words/use-words.ts';
import { Button } from './ui/button.tsx';

/** A list could not be loaded: what it means, and a way to ask again. */
export function LoadTrouble({ onRetry }: { onRetry: () => void }) {
  const { site } = useWords();
  return (
    <div className="space-y-3 p-6" role="status">
      <p>{site.couldNotLoad}</p>
      <Button onClick={onRetry}>{site.tryAgain}</Button>
    </div>
  );
}
