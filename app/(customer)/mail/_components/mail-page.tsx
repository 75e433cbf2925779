'use client';

import { useQuery } from '@tanstack/react-query';
import { LeadHeading } from '../../../_components/lead-heading.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';

/** What the demo would have mailed to this person. */
export function MailPage() {
  const { mail } = useAccountWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.demo.mailbox.queryOptions(), refetchInterval: 5_000 });
  const messages = query.data?.messages;
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <LeadHeading title={mail.title} lead={mail.lead} />
      {query.isPending && <Skeleton className="h-60 w-full rounded-2xl" />}
      {query.isError && messages === undefined && <LoadTrouble error={query.error} onRetry={() => query.refetch()} />}
      {messages?.length === 0 && (
        <Card>
          <p className="text-center text-muted">{mail.empty}</p>
        </Card>
      )}
      <ul className="space-y-3">
        {messages?.map((message) => (
          <li key={message.messageId}>
            <Card className="space-y-2">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <h2 className="font-semibold">{message.subject}</h2>
                <TimeText at={message.receivedAt} className="text-muted text-sm" />
              </div>
              <p className="whitespace-pre-line text-sm [overflow-wrap:anywhere]">
                {parts(message.text).map((part) =>
                  part.startsWith('http') ? (
                    <a
                      key={part}
                      href={part}
                      className="inline-flex min-h-8 items-center pointer-coarse:min-h-11 text-accent underline"
                    >
                      {mail.open}
                    </a>
                  ) : (
                    part
                  ),
                )}
              </p>
            </Card>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A text with its links apart. Only links to this site are shown as such: a mail of ours has no others. */
function parts(text: string): string[] {
  const origin = typeof window === 'undefined' ? 'https://here.invalid' : window.location.origin;
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part) => (part.startsWith(`${origin}/`) ? part : part.replace(/^http/, ' http')));
}
