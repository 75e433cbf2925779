import type { ReactNode } from 'react';
import { PageHeading } from './page-heading.tsx';

/** The page's heading with the sentence that says what the page is for, and what there is to say about its age. */
export function LeadHeading({ title, lead, children }: { title: string; lead: string; children?: ReactNode }) {
  return (
    <div className="space-y-1">
      <PageHeading>{title}</PageHeading>
      <p className="text-muted">{lead}</p>
      {children}
    </div>
  );
}
