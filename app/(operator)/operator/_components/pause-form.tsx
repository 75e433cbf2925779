'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { mintKey } from '../../../(customer)/withdraw/_components/mint-key.ts';

const SCOPES = ['all', 'asset', 'network', 'customer'] as const;

/** One person pauses at once: no second step stands between a worried operator and the stop. */
export function PauseForm() {
  const room = useRoomWords();
  const { switches } = room;
  const { refusal } = useWords();
  const { operator } = useTRPCClient();
  const queries = useQueryClient();
  const [scope, setScope] = useState<(typeof SCOPES)[number]>('all');
  const [said, setSaid] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const underWay = useRef(false);
  // The same for every press until one was answered.
  const deedId = useRef<string | null>(null);

  async function pause(form: FormData): Promise<void> {
    if (underWay.current) return;
    const reason = String(form.get('reason') ?? '').trim();
    const target = scope === 'all' ? '' : String(form.get('target') ?? '').trim();
    setSaid(null);
    if (scope !== 'all' && target === '') return setError(switches.targetNeeded);
    if (reason.length < 3) return setError(room.reasonNeeded);
    setError(null);
    underWay.current = true;
    setBusy(true);
    deedId.current ??= mintKey(window.crypto);
    try {
      const { kind } = await operator.switches.pause.mutate({ scope, target, reason, deedId: deedId.current });
      deedId.current = null;
      setSaid(kind === 'paused' ? switches.paused : switches.alreadyPaused);
      await queries.invalidateQueries();
    } catch (caught) {
      const answer = readApiError(caught);
      if (answer.kind !== 'silent') deedId.current = null;
      setError(answer.kind === 'silent' ? room.unknownOutcome : refusal(answer.refusal.code, answer.refusal.message));
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }

  return (
    <Card>
      <form
        className={classNames(
          'grid gap-4 sm:items-end',
          scope === 'all'
            ? 'sm:grid-cols-[12rem_minmax(0,1fr)_auto]'
            : 'sm:grid-cols-[12rem_minmax(0,1fr)_minmax(0,1fr)_auto]',
        )}
        onSubmit={(event) => {
          event.preventDefault();
          void pause(new FormData(event.currentTarget));
        }}
      >
        <h2 className="font-semibold sm:col-span-full">{switches.pauseTitle}</h2>
        <Field id="pause-scope" label={switches.scope}>
          <Select
            id="pause-scope"
            value={scope}
            onChange={(event) => setScope(SCOPES.find((one) => one === event.target.value) ?? 'all')}
          >
            {SCOPES.map((one) => (
              <option key={one} value={one}>
                {switches.scopes[one]}
              </option>
            ))}
          </Select>
        </Field>
        {scope !== 'all' && (
          <Field id="pause-target" label={switches.target}>
            <input
              id="pause-target"
              name="target"
              placeholder={switches.targetHint}
              autoComplete="off"
              className={CONTROL}
            />
          </Field>
        )}
        <Field id="pause-reason" label={room.reason}>
          <input id="pause-reason" name="reason" maxLength={500} autoComplete="off" className={CONTROL} />
        </Field>
        <Button type="submit" variant="danger" busy={busy} className="min-h-12">
          {switches.pause}
        </Button>
        <p role="status" className="text-good text-sm empty:sr-only sm:col-span-full">
          {said}
        </p>
        <p role="alert" className="text-bad text-sm empty:sr-only sm:col-span-full">
          {error}
        </p>
      </form>
    </Card>
  );
}
