'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { mintKey } from '../../../(customer)/withdraw/_components/mint-key.ts';
import { DeedStepUp } from './deed-step-up.tsx';
import type { DeedSubject, StepUp } from './room-types.ts';
import { useDeedStepUp } from './use-deed-step-up.ts';

type DeedProps = {
  label: string;
  /** What pressing will do, said before it is done. */
  says: string;
  tone?: 'secondary' | 'primary' | 'danger';
  /** Whether the deed takes a reason. */
  asksReason?: boolean;
  /** What else is typed, each beginning with what is true now. */
  fields?: readonly DeedField[];
  /**
   * What a second factor confirms before it is done, where need be made of what was typed; null for deeds that need none, and for
   * what was typed where that needs none.
   */
  confirms?: DeedSubject | ((typed: (name: string) => string) => DeedSubject | null) | null;
  /** Why it cannot be done now; null when it can. */
  blocked?: string | null;
  /** Does it, and says in words what it did. `deedId` is the same for every press on this form. */
  run: (input: {
    reason: string;
    deedId: string;
    stepUp: StepUp | null;
    typed: (name: string) => string;
  }) => Promise<string>;
};

/** A text, a long one, or one of a few where there are `options`. */
export type DeedField = {
  name: string;
  label: string;
  value: string;
  hint?: string;
  options?: readonly string[];
  long?: boolean;
};

type Outcome = { tone: 'good' | 'bad' | 'warn'; text: string };

/**
 * A button that says what it will do, asks why, does it once, and reports what it did. A second press while the first is under
 * way is ignored; after a lost answer the same press is repeated under the same id. (OP02)
 */
export function Deed(props: DeedProps) {
  const {
    label,
    says,
    tone = 'secondary',
    asksReason = false,
    fields = [],
    confirms = null,
    blocked = null,
    run,
  } = props;
  const [open, setOpen] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const hint = useId();
  return (
    // Relative: what only a screen reader hears would else widen the page from inside a table that scrolls.
    <div className="relative flex flex-col items-start gap-2">
      {!open && (
        <Button
          size="small"
          variant={tone}
          {...(blocked === null ? {} : { 'aria-disabled': true, 'aria-describedby': hint })}
          onClick={() => {
            if (blocked !== null) return;
            setOutcome(null);
            setOpen(true);
          }}
        >
          {label}
        </Button>
      )}
      {blocked !== null && (
        <p id={hint} className="max-w-72 text-muted text-xs">
          {blocked}
        </p>
      )}
      {open && (
        <DeedForm
          label={label}
          says={says}
          tone={tone}
          asksReason={asksReason}
          fields={fields}
          confirms={confirms}
          run={run}
          close={(done) => {
            setOutcome(done);
            setOpen(false);
          }}
        />
      )}
      <p role="status" className={outcome === null ? 'sr-only' : `max-w-80 text-sm ${TONES[outcome.tone]}`}>
        {outcome?.text}
      </p>
    </div>
  );
}

const TONES = { good: 'text-good', bad: 'text-bad', warn: 'text-warn' };

function DeedForm({
  label,
  says,
  tone,
  asksReason,
  fields,
  confirms,
  run,
  close,
}: Required<Pick<DeedProps, 'label' | 'says' | 'tone' | 'asksReason' | 'fields' | 'confirms' | 'run'>> & {
  close: (outcome: Outcome | null) => void;
}) {
  const room = useRoomWords();
  const { refusal } = useWords();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<{ about: 'reason' | 'deed'; text: string } | null>(null);
  const underWay = useRef(false);
  const deedId = useRef<string | null>(null);
  const stepUp = useDeedStepUp(confirms !== null);
  const first = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => first.current?.querySelector<HTMLElement>('input, select, button')?.focus(), []);

  async function submit(form: HTMLFormElement): Promise<void> {
    // State is one render late; two presses may come before it.
    if (underWay.current) return;
    const typed = new FormData(form);
    const reason = String(typed.get('reason') ?? '').trim();
    if (asksReason && reason.length < 3) return setError({ about: 'reason', text: room.reasonNeeded });
    underWay.current = true;
    setBusy(true);
    deedId.current ??= mintKey(window.crypto);
    try {
      const read = (name: string) => String(typed.get(name) ?? '').trim();
      const about = typeof confirms === 'function' ? confirms(read) : confirms;
      const confirmation = about === null ? null : await stepUp.collect(read('code'), about);
      if (about !== null && confirmation === null) return setError({ about: 'deed', text: room.stepUp.needed });
      const text = await run({ reason, deedId: deedId.current, stepUp: confirmation, typed: read });
      await queries.invalidateQueries();
      close({ tone: 'good', text });
    } catch (caught) {
      const answer = readApiError(caught);
      if (answer.kind === 'silent') return setError({ about: 'deed', text: room.unknownOutcome });
      const { code, message, detail } = answer.refusal;
      // A code that was refused is of no use again; everything else on the form is.
      if (code.startsWith('step_up')) {
        return setError({ about: 'deed', text: room.stepUp.refused.get(code) ?? refusal(code, message) });
      }
      await queries.invalidateQueries();
      close({ tone: 'bad', text: [refusal(code, message), detail].filter(Boolean).join(' ') });
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }

  return (
    <form
      className="w-80 max-w-full space-y-3 rounded-xl border border-line bg-raised p-3 text-sm"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <p>{says}</p>
      <div ref={first} className="space-y-3">
        {fields.map((field) => (
          <TypedField key={field.name} id={`${id}-${field.name}`} field={field} />
        ))}
        {asksReason && (
          <Field
            id={id}
            label={room.reason}
            hint={room.reasonHint}
            error={error?.about === 'reason' ? error.text : null}
          >
            <input
              id={id}
              name="reason"
              maxLength={500}
              autoComplete="off"
              className={CONTROL}
              aria-invalid={error?.about === 'reason' ? true : undefined}
              aria-describedby={`${id}-hint`}
            />
          </Field>
        )}
        {confirms !== null && <DeedStepUp stepUp={stepUp} />}
        <p role="alert" className="text-bad empty:hidden">
          {error?.about === 'deed' && error.text}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" size="small" variant={tone === 'secondary' ? 'primary' : tone} busy={busy}>
            {busy ? room.working : label}
          </Button>
          <Button size="small" variant="quiet" onClick={() => close(null)}>
            {room.cancel}
          </Button>
        </div>
      </div>
    </form>
  );
}

function TypedField({ id, field }: { id: string; field: DeedField }) {
  const { name, label, value, hint, options, long = false } = field;
  const described = describedBy(id, { hint: hint !== undefined });
  if (long) {
    return (
      <Field id={id} label={label} hint={hint}>
        <textarea
          id={id}
          name={name}
          rows={4}
          maxLength={4_000}
          spellCheck={false}
          className={`${CONTROL} font-mono text-xs`}
          aria-describedby={described}
        />
      </Field>
    );
  }
  return (
    <Field id={id} label={label} hint={hint}>
      {options === undefined ? (
        <input
          id={id}
          name={name}
          defaultValue={value}
          maxLength={200}
          autoComplete="off"
          className={CONTROL}
          aria-describedby={described}
        />
      ) : (
        <Select id={id} name={name} defaultValue={value} aria-describedby={described}>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </Select>
      )}
    </Field>
  );
}
