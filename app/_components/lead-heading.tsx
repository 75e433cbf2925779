import { PageHeading } from './page-heading.tsx';

/** The page's heading with the sentence that says what the page is for. */
export function LeadHeading({ title, lead }: { title: string; lead: string }) {
  return (
    <div className="space-y-1">
      <PageHeading>{title}</PageHeading>
      <p className="text-muted">{lead}</p>
    </div>
  );
}
