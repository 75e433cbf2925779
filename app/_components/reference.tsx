import { useWords } from '../_words/use-words.ts';

/** What a person names to the support: the id under which our server wrote the trouble down. Nothing where there is none. */
export function Reference({ id }: { id: string | null }) {
  const { site } = useWords();
  if (id === null) return null;
  return (
    <p className="text-muted text-sm">
      {site.reference}: <span className="select-all break-all font-mono">{id}</span>
    </p>
  );
}
