'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ACCOUNT_KINDS, isCustomerAccount } from '#domain/ledger-account.ts';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { readApiError } from '../../../_trpc/read-api-error.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { mintKey } from '../../../(customer)/withdraw/_components/mint-key.ts';

// What is held follows from withdrawals alone; the database refuses it too.
const KINDS = ACCOUNT_KINDS.filter((kind) => kind !== 'customer_held');
type Said = { tone: 'text-good' | 'text-bad'; text: string };

/** The first half of a correction of the books. A lost answer is repeated under the same id. */
export function AdjustmentForm({ assets }: { assets: readonly string[] }) {
  const room = useRoomWords();
  const { ledger } = room;
  const { refusal } = useWords();
  const { operator } = useTRPCClient();
  const queries = useQueryClient();
  const [said, setSaid] = useState<Said | null>(null);
  const [busy, setBusy] = useState(false);
  const adjustmentId = useRef<string | null>(null);
  const underWay = useRef(false);

  async function propose(form: HTMLFormElement): Promise<void> {
    if (underWay.current) return;
    const typed = new FormData(form);
    const read = (name: string) => String(typed.get(name) ?? '').trim();
    if (read('reason').length < 3) return setSaid({ tone: 'text-bad', text: room.reasonNeeded });
    underWay.current = true;
    setBusy(true);
    adjustmentId.current ??= mintKey(window.crypto);
    try {
      const side = (name: string) => ({ kind: read(name), customerId: read(`${name}-customer`) || null });
      const what = { asset: read('asset'), debit: side('debit'), credit: side('credit'), amount: read('amount') };
      await operator.adjustments.propose.mutate({
        adjustmentId: adjustmentId.current,
        ...what,
        reason: read('reason'),
      });
      adjustmentId.current = null;
      form.reset();
      setSaid({ tone: 'text-good', text: ledger.proposed });
      await queries.invalidateQueries();
    } catch (caught) {
      const answer = readApiError(caught);
      const known = answer.kind === 'silent' ? null : answer.refusal;
      // After a definitive answer the next press is another proposal.
      if (known !== null) adjustmentId.current = null;
      setSaid({ tone: 'text-bad', text: known === null ? room.unknownOutcome : refusal(known.code, known.message) });
    } finally {
      underWay.current = false;
      setBusy(false);
    }
  }

  return (
    <Card>
      <form
        className="grid gap-4 sm:grid-cols-3 sm:items-start"
        onSubmit={(event) => {
          event.preventDefault();
          void propose(event.currentTarget);
        }}
      >
        <div className="sm:col-span-3">
          <h3 className="font-semibold">{ledger.form}</h3>
          <p className="text-muted text-sm">{ledger.formSays}</p>
        </div>
        <Field id="adjustment-asset" label={ledger.asset}>
          <Select id="adjustment-asset" name="asset">
            {assets.map((asset) => (
              <option key={asset}>{asset}</option>
            ))}
          </Select>
        </Field>
        <Side name="debit" label={ledger.from} />
        <Side name="credit" label={ledger.to} />
        <Field id="adjustment-amount" label={ledger.amount}>
          <input id="adjustment-amount" name="amount" inputMode="decimal" autoComplete="off" className={CONTROL} />
        </Field>
        <Field id="adjustment-reason" label={room.reason}>
          <input id="adjustment-reason" name="reason" maxLength={500} autoComplete="off" className={CONTROL} />
        </Field>
        <Button type="submit" variant="primary" busy={busy} className="min-h-12 sm:self-end">
          {ledger.propose}
        </Button>
        <p role="status" className={`text-sm empty:hidden sm:col-span-3 ${said?.tone ?? ''}`}>
          {said?.text}
        </p>
      </form>
    </Card>
  );
}

function Side({ name, label }: { name: 'debit' | 'credit'; label: string }) {
  const { ledger } = useRoomWords();
  const { code } = useWords();
  const [kind, setKind] = useState<(typeof KINDS)[number]>('suspense');
  return (
    <div className="space-y-3">
      <Field id={`adjustment-${name}`} label={label}>
        <Select
          id={`adjustment-${name}`}
          name={name}
          value={kind}
          onChange={(event) => setKind(KINDS.find((one) => one === event.target.value) ?? 'suspense')}
        >
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {code(one)}
            </option>
          ))}
        </Select>
      </Field>
      {isCustomerAccount(kind) && (
        <Field id={`adjustment-${name}-customer`} label={ledger.customer}>
          <input
            id={`adjustment-${name}-customer`}
            name={`${name}-customer`}
            autoComplete="off"
            className={`${CONTROL} font-mono text-sm`}
          />
        </Field>
      )}
    </div>
  );
}
