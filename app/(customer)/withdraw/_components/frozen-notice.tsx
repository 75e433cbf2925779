import { useQuery } from '@tanstack/react-query';
import { dayTime } from '../../../_components/time-text.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';

/** Says before anything is filled in that withdrawals rest after a change of security. */
export function FrozenNotice() {
  const { form } = useWords();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.addressBook.list.queryOptions());
  if (data === undefined || data.frozenUntil === null) return null;
  return <Notice tone="warn" title={form.frozen(dayTime(data.frozenUntil))} data-testid="freeze" />;
}
