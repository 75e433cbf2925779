'use client';

import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { InvariantTiles } from './invariant-tiles.tsx';
import { LabFaults } from './lab-faults.tsx';
import { LabOutages } from './lab-outages.tsx';
import { LabTraffic } from './lab-traffic.tsx';
import { LiveHeading } from './live-heading.tsx';
import { PreventedList } from './prevented-list.tsx';
import { useLabDeed } from './use-lab-deed.ts';

const REFRESH_MS = 1_500; // Somebody watches what they just broke.

/** The page one shows to a sceptic: break it, and watch it pay once. */
export function FaultLabPage() {
  const room = useRoomWords();
  const { lab } = room;
  const { code } = useWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.operator.lab.report.queryOptions(), refetchInterval: REFRESH_MS });
  const report = query.data;
  return (
    <>
      <LiveHeading title={room.pages.faultLab} lead={lab.lead} query={query} />
      {report !== undefined && (
        <>
          <section className="space-y-3">
            <h2 className="font-semibold">{lab.watch}</h2>
            <InvariantTiles invariants={report.invariants} />
          </section>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
            <Card className="space-y-4">
              <h2 className="font-semibold">{lab.traffic}</h2>
              <LabTraffic
                traffic={report.traffic}
                trouble={report.traffic.lastTrouble && code(report.traffic.lastTrouble)}
              />
            </Card>
            <Card className="space-y-4">
              <h2 className="font-semibold">{lab.faults}</h2>
              <LabFaults faults={report.faults} />
            </Card>
            <Card className="space-y-4">
              <h2 className="font-semibold">{lab.house}</h2>
              <LabHouse queuePaused={report.queuePaused} workerRuns={report.workerRuns} />
            </Card>
            {report.outages !== null && (
              <Card className="space-y-4">
                <h2 className="font-semibold">{lab.away}</h2>
                <LabOutages outages={report.outages} />
              </Card>
            )}
            <Card className="space-y-4">
              <h2 className="font-semibold">{lab.duplicatesStopped}</h2>
              <PreventedList prevented={report.prevented} />
            </Card>
          </div>
        </>
      )}
    </>
  );
}

const REORG_DEPTH = 2; // Less than any finality here: deeper is a halt, which people end.

function LabHouse({ queuePaused, workerRuns }: { queuePaused: boolean | null; workerRuns: boolean | null }) {
  const { lab } = useRoomWords();
  const { operator } = useTRPCClient();
  const { busy, said, act } = useLabDeed();
  return (
    <div className="flex flex-wrap gap-2">
      <Button busy={busy} variant="danger" onClick={() => act(() => operator.lab.flushRedis.mutate(), lab.flushed)}>
        {lab.flush}
      </Button>
      <Button
        busy={busy}
        variant="danger"
        onClick={() => act(() => operator.lab.reorgChain.mutate({ depth: REORG_DEPTH }), lab.reorged)}
      >
        {lab.reorg}
      </Button>
      <Button
        busy={busy}
        variant={queuePaused === true ? 'primary' : 'danger'}
        onClick={() =>
          act(
            () => operator.lab.pauseQueue.mutate({ paused: queuePaused !== true }),
            queuePaused === true ? lab.resumed : lab.paused,
          )
        }
      >
        {queuePaused === true ? lab.resume : lab.pause}
      </Button>
      {workerRuns !== null && (
        <Button
          busy={busy}
          variant={workerRuns ? 'danger' : 'primary'}
          onClick={() =>
            workerRuns
              ? act(() => operator.lab.killWorker.mutate(), lab.workerKilled)
              : act(() => operator.lab.startWorker.mutate(), lab.workerStarted)
          }
        >
          {workerRuns ? lab.killWorker : lab.startWorker}
        </Button>
      )}
      <p role="status" className="w-full text-sm">
        {said}
      </p>
    </div>
  );
}
