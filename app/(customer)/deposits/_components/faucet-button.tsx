import { useMutation } from '@tanstack/react-query';
import type { FaucetAsset } from '#domain/faucet.ts';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import type { NetworkView } from '../../../_trpc/api-types.ts';
import { readReference } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';

type FaucetButtonProps = { asset: FaucetAsset; network: NetworkView; onSent: (transactionHash: string) => void };

/** Coins out of nothing, in the demo only. */
export function FaucetButton({ asset, network, onSent }: FaucetButtonProps) {
  const { deposits: words } = useAccountWords();
  const trpc = useTRPC();
  const faucet = useMutation({
    ...trpc.demo.faucet.mutationOptions(),
    onSuccess: ({ transactionHash }) => onSent(transactionHash),
  });
  const said = faucet.isSuccess
    ? words.faucetDone(faucet.data.amount, asset)
    : faucet.isError
      ? words.faucetFailed
      : null;
  return (
    <div className="space-y-3 rounded-xl bg-raised p-4">
      <div className="space-y-1 text-sm">
        <h3 className="font-semibold text-[0.95rem]">{words.faucet}</h3>
        <p className="text-muted">{words.faucetMore(asset, network.name)}</p>
      </div>
      <Button
        busy={faucet.isPending}
        onClick={() => {
          if (!faucet.isPending) faucet.mutate({ asset, network: network.networkId });
        }}
      >
        {faucet.isPending ? words.faucetBusy : words.faucetPress(asset)}
      </Button>
      <p role="status" className="text-sm empty:hidden">
        {said}
      </p>
      <Reference id={readReference(faucet.error)} />
    </div>
  );
}
