import { Button } from '../../../_components/ui/button.tsx';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';

type Pages = { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };

/** Asks for the next page while there is one. */
export function ShowMore({ query }: { query: Pages }) {
  const { more } = useOperatorWords();
  if (!query.hasNextPage) return null;
  return (
    <Button
      busy={query.isFetchingNextPage}
      onClick={() => {
        if (!query.isFetchingNextPage) void query.fetchNextPage();
      }}
    >
      {more}
    </Button>
  );
}
