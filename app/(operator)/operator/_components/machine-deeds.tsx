import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Deed } from './deed.tsx';

type MachineDeedProps = { withdrawalId: string; blocked: string | null };

/** Custody is asked at once what became of it. */
export function LookUpNowDeed({ withdrawalId, blocked }: MachineDeedProps) {
  const { doubts } = useRoomWords();
  const { operator } = useTRPCClient();
  return (
    <Deed
      label={doubts.lookUpNow}
      says={doubts.lookUpSays}
      tone="primary"
      blocked={blocked}
      run={async () => {
        const { kind } = await operator.doubts.lookUpNow.mutate({ withdrawalId });
        return kind === 'asked' ? doubts.asked : kind === 'under_way' ? doubts.underWay : doubts.notOpen;
      }}
    />
  );
}

/** The machine leaves it to people. */
export function ParkDeed({ withdrawalId, blocked }: MachineDeedProps) {
  const { doubts } = useRoomWords();
  const { operator } = useTRPCClient();
  return (
    <Deed
      label={doubts.park}
      says={doubts.parkSays}
      asksReason
      blocked={blocked}
      run={async ({ reason }) => {
        const { kind } = await operator.doubts.park.mutate({ withdrawalId, reason });
        return kind === 'not_open' ? doubts.notOpen : doubts.parked;
      }}
    />
  );
}
