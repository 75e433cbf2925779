'use client';

import { useQuery } from '@tanstack/react-query';
import { TimeText } from '../../../_components/time-text.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Deed } from './deed.tsx';
import type { HaltedNetwork } from './room-types.ts';
import { useReadsOnly } from './use-reads-only.ts';

const REFRESH_MS = 5_000;

/** The networks that are read no further, each with what two people can do about it. Nothing where none is halted. */
export function HaltedNetworks() {
  const { site } = useWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.operator.reconciliation.halted.queryOptions(), refetchInterval: REFRESH_MS });
  if (query.data === undefined) {
    return query.isError ? <Notice tone="bad" title={site.couldNotLoad} /> : <Skeleton className="h-12 w-full" />;
  }
  return query.data.networks.map((network) => <Halted key={network.networkId} network={network} />);
}

function Halted({ network }: { network: HaltedNetwork }) {
  const room = useRoomWords();
  const { halts } = room;
  const { userId } = usePerson();
  const { operator } = useTRPCClient();
  const { networkId, networkName, reason, haltedAt, block, agreedNumber, proposal } = network;
  const readsOnly = useReadsOnly();
  const booked = (count: number) => (proposal?.hasMore ? halts.atLeast(count) : String(count));
  const above = (number: string) => BigInt(block) - BigInt(number);
  return (
    <Notice tone="bad" title={halts.title(networkName)}>
      <p>
        {reason} (<TimeText at={haltedAt} />)
      </p>
      <p>{halts.more(block)}</p>
      <p>
        {agreedNumber === null
          ? halts.agreedUnknown
          : `${halts.agreed(agreedNumber)} ${halts.above(above(agreedNumber))}`}
      </p>
      {proposal !== null && (
        <>
          <p>{halts.proposal(proposal.proposedByName, proposal.fromNumber, proposal.reason)}</p>
          <p>{halts.blocks(above(proposal.fromNumber))}</p>
          <Deed
            label={halts.confirm}
            says={halts.confirmSays(
              proposal.fromNumber,
              above(proposal.fromNumber),
              booked(proposal.completed),
              booked(proposal.credited),
            )}
            tone="danger"
            confirms={{ deed: 'take_up_network', subject: proposal.resumptionId }}
            blocked={readsOnly ?? (proposal.proposedBy === userId ? room.secondPerson : null)}
            run={async ({ stepUp }) => {
              const { resumptionId } = proposal;
              const { orphaned } = await operator.reconciliation.confirmTakingUp.mutate({ resumptionId, stepUp });
              return halts.takenUp(orphaned);
            }}
          />
        </>
      )}
      <Deed
        label={halts.propose}
        says={halts.proposeSays}
        asksReason
        fields={[{ name: 'from', label: halts.from, value: agreedNumber ?? '', hint: halts.fromHint }]}
        blocked={readsOnly}
        run={async ({ reason: why, deedId: resumptionId, typed }) => {
          const asked = { resumptionId, networkId, fromNumber: typed('from'), reason: why };
          await operator.reconciliation.proposeTakingUp.mutate(asked);
          return halts.proposed;
        }}
      />
    </Notice>
  );
}
