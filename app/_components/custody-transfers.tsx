import type { WithdrawalProof } from '../_trpc/api-types.ts';
import { useWords } from '../_words/use-words.ts';
import { AddressText } from './address-text.tsx';

/** The custodian's own list for one key. Null is "it did not answer", which is not the same as an empty list. */
export function CustodyTransfers({ transfers }: { transfers: WithdrawalProof['custody'] }) {
  const { progress, code } = useWords();
  if (transfers === null) return <p className="text-muted">{progress.custodySilent}</p>;
  if (transfers.length === 0) return <p className="text-muted">{progress.noCustody}</p>;
  return (
    <>
      <p className="font-medium">{progress.transfers(transfers.length)}</p>
      <ul className="space-y-2">
        {transfers.map((transfer) => (
          <li key={transfer.transferId} className="rounded-xl bg-raised p-3">
            <p className="break-all">
              <span className="font-mono">{transfer.transferId}</span>, {code(transfer.status)}
            </p>
            {transfer.transactions.map((hash) => (
              <p key={hash} className="text-muted">
                <AddressText value={hash} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </>
  );
}
