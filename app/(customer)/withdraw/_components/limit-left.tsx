import { useQuery } from '@tanstack/react-query';
import { Amount } from '../../../_components/amount.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';

/** What is left of the day's limit, before anything is pressed; nothing while it is not known. */
export function LimitLeft() {
  const { form } = useWords();
  const trpc = useTRPC();
  const { data } = useQuery({ ...trpc.account.limit.queryOptions(), refetchOnMount: 'always' });
  if (data === undefined || data === null) return null;
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
      <span className="text-muted">{form.limitLeft}</span>
      <Amount value={data.left} asset={data.currency} />
      <span className="w-full text-muted text-xs">{form.limitMore}</span>
    </p>
  );
}
