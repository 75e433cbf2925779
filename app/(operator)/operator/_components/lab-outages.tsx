'use client';

import { useCallback, useState } from 'react';
import { CountDown } from '../../../_components/count-down.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { LabReport } from './room-types.ts';
import { useLabDeed } from './use-lab-deed.ts';

const SERVICES = ['postgres', 'custody', 'redis', 'chain'] as const;
const SECONDS = [5, 15, 30];

type Outages = NonNullable<LabReport['outages']>;

/** Takes one of our services away for a while, and counts until it is back. */
export function LabOutages({ outages }: { outages: Outages }) {
  const { lab } = useRoomWords();
  const { operator } = useTRPCClient();
  const { busy, said, act } = useLabDeed();
  const [what, setWhat] = useState<(typeof SERVICES)[number]>('postgres');
  const [seconds, setSeconds] = useState(15);
  // Without Postgres no report comes that would tell.
  const [ordered, setOrdered] = useState<Outages[number] | null>(null);
  const forget = useCallback(() => setOrdered(null), []);
  const takeAway = async () => {
    const { until } = await operator.lab.beginOutage.mutate({ what, seconds });
    setOrdered({ name: what, until });
  };
  const shown = ordered === null || outages.some(({ name }) => name === ordered.name) ? outages : [ordered, ...outages];
  return (
    <div className="space-y-4">
      <p className="text-muted text-sm">{lab.awayLead}</p>
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <Field id="outage-what" label={lab.awayWhat}>
          <Select
            id="outage-what"
            value={what}
            onChange={(event) => setWhat(SERVICES.find((name) => name === event.target.value) ?? 'postgres')}
          >
            {SERVICES.map((name) => (
              <option key={name} value={name}>
                {lab.services[name]}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="outage-seconds" label={lab.awayFor}>
          <Select id="outage-seconds" value={seconds} onChange={(event) => setSeconds(Number(event.target.value))}>
            {SECONDS.map((count) => (
              <option key={count} value={count}>
                {lab.seconds(count)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} variant="danger" onClick={() => act(takeAway, lab.isAway)}>
          {lab.takeAway}
        </Button>
        <Button
          busy={busy}
          variant="danger"
          onClick={() => act(() => operator.lab.endSessions.mutate(), lab.sessionsEnded)}
        >
          {lab.endSessions}
        </Button>
      </div>
      <p role="status" className="text-sm">
        {said}
      </p>
      <ul className="space-y-1 text-sm">
        {shown.map(({ name, until }) => (
          <li key={name} className="flex flex-wrap justify-between gap-x-4" data-testid={`outage-${name}`}>
            <span className="font-medium">{SERVICES.flatMap((one) => (one === name ? [lab.services[one]] : []))}</span>
            <Until at={until} onEnd={ordered?.until === until ? forget : null} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Until({ at, onEnd }: { at: string; onEnd: (() => void) | null }) {
  const { lab } = useRoomWords();
  const [isOver, setIsOver] = useState(false);
  const end = useCallback(() => {
    setIsOver(true);
    onEnd?.();
  }, [onEnd]);
  return (
    <span className="text-muted">
      {isOver ? lab.comesBack : <CountDown until={at} wrap={lab.backIn} onEnd={end} />}
    </span>
  );
}
