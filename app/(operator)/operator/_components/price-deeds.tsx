import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Deed } from './deed.tsx';
import type { ShownPrice } from './room-types.ts';
import { useReadsOnly } from './use-reads-only.ts';

/** A price is proposed by one person and counts when another confirms it. */
export function PriceDeeds({ price }: { price: ShownPrice }) {
  const room = useRoomWords();
  const { assets } = room;
  const { userId } = usePerson();
  const { operator } = useTRPCClient();
  const readsOnly = useReadsOnly();
  const { assetId, proposal } = price;
  return (
    <>
      {proposal !== null && (
        <>
          <p className="text-sm">{assets.priceProposal(proposal.proposedByName, proposal.price)}</p>
          <Deed
            label={assets.priceConfirm}
            says={assets.priceSays}
            tone="danger"
            confirms={{ deed: 'set_price', subject: proposal.proposalId }}
            blocked={readsOnly ?? (proposal.proposedBy === userId ? room.secondPerson : null)}
            run={async ({ stepUp }) => {
              await operator.terms.confirmPrice.mutate({ proposalId: proposal.proposalId, stepUp });
              return assets.changed;
            }}
          />
        </>
      )}
      <Deed
        label={assets.pricePropose}
        says={assets.priceProposeSays}
        blocked={readsOnly}
        fields={[{ name: 'price', label: assets.priceColumns.price, value: price.price ?? '' }]}
        run={async ({ typed, deedId: proposalId }) => {
          await operator.terms.proposePrice.mutate({ proposalId, asset: assetId, price: typed('price') });
          return assets.priceProposed;
        }}
      />
    </>
  );
}
