import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { CountDown } from '../../../_components/count-down.tsx';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { readReference } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';

/** "Only my address book": on at once, off after a delay that can be taken back. */
export function AllowListSwitch({ isOn, offAt }: { isOn: boolean; offAt: string | null }) {
  const { addresses: words } = useAccountWords();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const refresh = useCallback(
    () => queryClient.invalidateQueries({ queryKey: trpc.addressBook.list.queryKey() }),
    [queryClient, trpc],
  );
  const change = useMutation(trpc.addressBook.setAllowList.mutationOptions({ onSettled: refresh }));
  const goesOff = isOn && offAt !== null;
  return (
    <Card className="space-y-3">
      <h2 className="font-semibold">{words.allowList}</h2>
      <p role="status">
        {goesOff ? (
          <CountDown until={offAt} wrap={words.allowListEnds} onEnd={refresh} />
        ) : isOn ? (
          words.allowListOn
        ) : (
          words.allowListOff
        )}
      </p>
      <p className="text-muted text-sm">{words.allowListMeaning}</p>
      <Button
        busy={change.isPending}
        onClick={() => {
          if (!change.isPending) change.mutate({ on: !isOn || goesOff });
        }}
      >
        {goesOff ? words.keepOn : isOn ? words.switchOff : words.switchOn}
      </Button>
      {change.isError && (
        <div role="alert">
          <p className="text-bad text-sm">{words.failed}</p>
          <Reference id={readReference(change.error)} />
        </div>
      )}
    </Card>
  );
}
