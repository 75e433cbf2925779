import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Amount } from '../../../_components/amount.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import type { Quote } from '../../../_trpc/api-types.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';

type QuotedLimit = NonNullable<Quote['limit']>;

/** What is left of the day's limit before an asset is chosen; nothing while it is not known. */
export function LimitLeft() {
  const { form } = useWords();
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.account.limit.queryOptions(), refetchOnMount: 'always' });
  if (data === undefined || data === null) return null;
  return (
    <dl className="text-sm">
      <Line name={form.limitLeft}>
        <Amount value={data.left} asset={data.currency} />
      </Line>
    </dl>
  );
}

/** What the limits leave for this asset, and why a person looks where one does, before anything is pressed. */
export function QuotedLimitLeft({
  limit,
  symbol,
  reviewed,
}: {
  limit: QuotedLimit;
  symbol: string;
  reviewed: boolean;
}) {
  const { form } = useWords();
  const toNew = limit.withoutApprovalToNewAddress;
  return (
    <div className="space-y-2.5 border-line border-t pt-3 text-sm">
      <dl className="space-y-2.5">
        <Line name={form.limitLeft}>
          <Amount value={limit.left24h} asset={limit.currency} />
        </Line>
        <Line name={form.limitLeft30d}>
          <Amount value={limit.left30d} asset={limit.currency} />
        </Line>
        {limit.assetCapLeft !== null && (
          <Line name={form.limitCapLeft(symbol)}>
            <Amount value={limit.assetCapLeft} asset={symbol} />
          </Line>
        )}
        {limit.reasons.length === 0 && (
          <Line name={form.limitFree}>
            <Amount value={limit.withoutApproval} asset={symbol} />
          </Line>
        )}
        {limit.reasons.length === 0 && toNew !== null && toNew !== limit.withoutApproval && (
          <Line name={form.limitNewAddress}>
            <Amount value={toNew} asset={symbol} />
          </Line>
        )}
      </dl>
      {limit.reasons.length === 0 && <p className="text-muted text-xs">{form.limitMore}</p>}
      <div aria-live="polite">
        {(reviewed || limit.reasons.length > 0) && (
          <Notice tone="info" title={form.limitReviewed}>
            {limit.reasons.map((reason) => form.limitReasons[reason]).join(' ')}
          </Notice>
        )}
      </div>
    </div>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}
