import { Wordmark } from './_components/wordmark.tsx';
import { readWords } from './_words/read-words.ts';

/** What nobody has, and what belongs to somebody else, look the same. */
export default async function NotFound() {
  const { site } = await readWords();
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-xl space-y-4 px-4 py-20">
      <p className="flex items-center gap-2 pb-4">
        <Wordmark />
      </p>
      <h1 className="font-semibold text-2xl tracking-tight">{site.notFound}</h1>
      <p className="text-muted">{site.notFoundMore}</p>
      {/* A plain link: every page loads this one, and the router's link would come with it a second time. */}
      <a href="/" className="inline-flex min-h-11 items-center text-accent underline underline-offset-2">
        {site.toStart}
      </a>
    </main>
  );
}
