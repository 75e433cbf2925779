import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isTerminal } from '#domain/withdrawal.ts';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import type { WithdrawalView } from '../../../_trpc/api-types.ts';
import { readApiError, readReference } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';

/** Cancelling is a request with a result of its own: done, too late, or not known yet. */
export function CancelWithdrawal({ withdrawal }: { withdrawal: WithdrawalView }) {
  const words = useWords();
  const { progress } = words;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { withdrawalId } = withdrawal;
  const cancel = useMutation(
    trpc.withdrawal.cancel.mutationOptions({
      onSuccess: (answer) =>
        queryClient.setQueryData(trpc.withdrawal.byId.queryKey({ withdrawalId }), answer.withdrawal),
      onError: () => queryClient.invalidateQueries({ queryKey: trpc.withdrawal.byId.queryKey({ withdrawalId }) }),
    }),
  );
  const answer = cancel.error === null ? null : readApiError(cancel.error);
  return (
    <div className="-mt-5 space-y-4 has-[p]:mt-0">
      <div role="status">
        {cancel.data?.kind === 'cancelled' && <Notice tone="good" title={progress.cancelled} />}
        {cancel.data?.kind === 'too_late' && <Notice tone="info" title={progress.tooLate} />}
        {cancel.data?.kind === 'not_now' && <Notice tone="info" title={progress.cancelNotNow} />}
        {answer !== null && (
          <Notice
            tone="warn"
            title={
              answer.kind === 'silent'
                ? progress.cancelUnknown
                : words.refusal(answer.refusal.code, answer.refusal.message)
            }
          >
            <Reference id={readReference(cancel.error)} />
          </Notice>
        )}
      </div>
      {!withdrawal.canCancel && !isTerminal(withdrawal.status) && (
        <p className="border-line border-t pt-4 text-muted text-sm">{progress.cancelOver}</p>
      )}
      {withdrawal.canCancel && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-4">
          <Button
            variant="danger"
            busy={cancel.isPending}
            aria-describedby="cancel-meaning"
            onClick={() => {
              if (!cancel.isPending) cancel.mutate({ withdrawalId });
            }}
          >
            {cancel.isPending ? progress.cancelBusy : progress.cancel}
          </Button>
          <p id="cancel-meaning" className="text-muted text-sm">
            {progress.cancelPossible}
          </p>
        </div>
      )}
    </div>
  );
}
