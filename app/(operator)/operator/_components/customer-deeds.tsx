'use client';

import { useState } from 'react';
import { Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Deed } from './deed.tsx';
import type { StaffCustomer } from './room-types.ts';
import { useReadsOnly } from './use-reads-only.ts';

const TIERS = ['standard', 'verified', 'institution'];

/** Freeze at once, lift by an approver, and another tier. */
export function CustomerDeeds({ customer }: { customer: StaffCustomer }) {
  const room = useRoomWords();
  const { customers } = room;
  const { role } = usePerson();
  const { operator } = useTRPCClient();
  const { customerId, frozen, reviewAll } = customer;
  const [tierId, setTierId] = useState(customer.tier);
  const readsOnly = useReadsOnly();
  const id = `tier-${customerId}`;
  return (
    <>
      {frozen === null ? (
        <Deed
          label={customers.freeze}
          says={customers.freezeSays}
          tone="danger"
          asksReason
          blocked={readsOnly}
          run={async ({ reason }) => {
            const { kind } = await operator.customers.freeze.mutate({ customerId, frozen: true, reason });
            return kind === 'frozen' ? customers.isFrozen : customers.unchanged;
          }}
        />
      ) : (
        <Deed
          label={customers.lift}
          says={customers.liftSays}
          asksReason
          confirms={{ deed: 'lift_freeze', subject: customerId }}
          blocked={role === 'approver' ? null : room.needsRole(room.approvals.approver)}
          run={async ({ reason, stepUp }) => {
            const { kind } = await operator.customers.freeze.mutate({ customerId, frozen: false, reason, stepUp });
            return kind === 'lifted' ? customers.lifted : customers.unchanged;
          }}
        />
      )}
      <Field id={id} label={customers.newTier}>
        <Select id={id} value={tierId} onChange={(event) => setTierId(event.target.value)}>
          {TIERS.map((tier) => (
            <option key={tier} value={tier}>
              {tier}
            </option>
          ))}
        </Select>
      </Field>
      {tierId !== customer.tier && (
        <Deed
          label={customers.setTier}
          says={`${customer.tier} → ${tierId}`}
          confirms={{ deed: 'set_customer_tier', terms: { customerId, tierId, reviewAll } }}
          blocked={readsOnly}
          run={async ({ stepUp }) => {
            await operator.terms.setCustomerTier.mutate({ customerId, tierId, reviewAll, stepUp });
            return customers.tierSet;
          }}
        />
      )}
    </>
  );
}
