'use client';

import { useState } from 'react';
import { Button } from '../../../_components/ui/button.tsx';
import { Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { LabReport } from './room-types.ts';
import { useLabDeed } from './use-lab-deed.ts';

const RATES = [1, 2, 5, 10, 20];
const PERCENTS = [0, 10, 30, 50, 100];

/** Customers who press too often and change their minds, and what became of their clicks. */
export function LabTraffic({ traffic, trouble }: { traffic: LabReport['traffic']; trouble: string | null }) {
  const { lab } = useRoomWords();
  const { operator } = useTRPCClient();
  const { busy, said, act } = useLabDeed();
  const [perSecond, setPerSecond] = useState(2);
  const [duplicatePercent, setDuplicatePercent] = useState(50);
  const [cancelPercent, setCancelPercent] = useState(10);
  const { clicks, sends, accepted, replayed, refused, unknown, cancelled } = traffic;
  const counts = { clicks, sends, accepted, replayed, refused, unknown, cancelled };
  const names: Readonly<Record<string, string>> = lab.counts;
  const chooser = (id: string, label: string, value: number, choices: number[], set: (value: number) => void) => (
    <Field id={id} label={label}>
      <Select
        id={id}
        value={value}
        onChange={(event) => set(choices.find((choice) => String(choice) === event.target.value) ?? value)}
      >
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </Select>
    </Field>
  );
  return (
    <div className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-3 sm:items-end">
        {chooser('traffic-rate', lab.perSecond, perSecond, RATES, setPerSecond)}
        {chooser('traffic-duplicates', lab.duplicates, duplicatePercent, PERCENTS, setDuplicatePercent)}
        {chooser('traffic-cancels', lab.cancels, cancelPercent, PERCENTS, setCancelPercent)}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={busy}
          variant="primary"
          onClick={() =>
            act(() => operator.lab.startTraffic.mutate({ perSecond, duplicatePercent, cancelPercent }), lab.started)
          }
        >
          {lab.start}
        </Button>
        <Button busy={busy} onClick={() => act(() => operator.lab.stopTraffic.mutate(), lab.stopped)}>
          {lab.stop}
        </Button>
      </div>
      <p role="status" className="text-sm">
        {said}
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
        {Object.entries(counts).map(([name, count]) => (
          <div key={name} className="flex justify-between gap-2">
            <dt className="text-muted">{names[name]}</dt>
            <dd data-testid={`traffic-${name}`} className="font-semibold tabular-nums">
              {count}
            </dd>
          </div>
        ))}
      </dl>
      {trouble !== null && (
        <p className="text-muted text-sm">
          {lab.lastTrouble}: {trouble}
        </p>
      )}
    </div>
  );
}
