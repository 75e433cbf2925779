'use client';

import { useState } from 'react';
import { Button } from '../../../_components/ui/button.tsx';
import { Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { LabReport } from './room-types.ts';
import { useLabDeed } from './use-lab-deed.ts';

/** How often a fault strikes: so many times, or so many in a hundred until it is ended. */
const OFTEN = [
  { value: '1', count: 1, share: null },
  { value: '5', count: 5, share: null },
  { value: '20', count: 20, share: null },
  { value: '20%', count: null, share: 0.2 },
  { value: '50%', count: null, share: 0.5 },
  { value: '100%', count: null, share: 1 },
] as const;

/** Every fault of the provider as a switch, and those that are on. */
export function LabFaults({ faults }: { faults: LabReport['faults'] }) {
  const { lab } = useRoomWords();
  const { operator } = useTRPCClient();
  const { busy, said, act } = useLabDeed();
  const [kind, setKind] = useState('execute_then_drop');
  const [often, setOften] = useState('5');
  const kinds: Readonly<Record<string, string>> = lab.kinds;
  const nameOf = (one: string) => kinds[one] ?? one;
  return (
    <div className="space-y-4">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <Field id="fault-kind" label={lab.kind}>
          <Select id="fault-kind" value={kind} onChange={(event) => setKind(event.target.value)}>
            {Object.entries(kinds).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field id="fault-often" label={lab.howOften}>
          <Select id="fault-often" value={often} onChange={(event) => setOften(event.target.value)}>
            {OFTEN.map(({ value, count, share }) => (
              <option key={value} value={value}>
                {count !== null ? lab.times(count) : share === 1 ? lab.always : lab.share(share * 100)}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={busy}
          variant="danger"
          onClick={() => {
            const chosen = OFTEN.find(({ value }) => value === often);
            const { count, share } = chosen ?? OFTEN[0];
            act(() => operator.lab.setFault.mutate({ kind, count, share }), lab.isSet);
          }}
        >
          {lab.set}
        </Button>
        <Button busy={busy} onClick={() => act(() => operator.lab.clearFaults.mutate(), lab.cleared)}>
          {lab.clear}
        </Button>
      </div>
      <p role="status" className="text-sm">
        {said}
      </p>
      {faults === null && <p className="text-sm text-warn">{lab.custodySilent}</p>}
      {faults?.length === 0 && <p className="text-muted text-sm">{lab.noFaults}</p>}
      <ul className="space-y-1 text-sm">
        {faults?.map((fault) => (
          <li key={fault.id} className="flex flex-wrap justify-between gap-x-4">
            <span className="font-medium">{nameOf(fault.kind)}</span>
            <span className="text-muted tabular-nums">
              {lab.struck(fault.applied)}
              {fault.remaining !== null && `, ${lab.left(fault.remaining)}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
