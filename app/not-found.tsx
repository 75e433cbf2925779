import { en } from './_words/en.ts';

/** What nobody has, and what belongs to somebody else, look the same. */
export default function NotFound() {
  return (
    <main id="main" tabIndex={-1} className="mx-auto max-w-xl space-y-4 px-4 py-20">
      <h1 className="font-semibold text-2xl tracking-tight">{en.site.notFound}</h1>
      <p className="text-muted">{en.site.notFoundMore}</p>
      {/* A plain link: every page loads this one, and the router's link would come with it a second time. */}
      <a href="/" className="text-accent underline underline-offset-2">
        {en.site.toStart}
      </a>
    </main>
  );
}
