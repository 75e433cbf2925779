import { useQuery } from '@tanstack/react-query';
import { Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import type { AddressEntry, NetworkView } from '../../../_trpc/api-types.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';

type SavedAddressesProps = { network: NetworkView | null; onChoose: (entry: AddressEntry) => void };

/** The saved addresses of the chosen network; nothing where there are none. What is on hold is shown and cannot be chosen. */
export function SavedAddresses({ network, onChoose }: SavedAddressesProps) {
  const { form } = useWords();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.addressBook.list.queryOptions());
  const entries = data?.entries.filter((entry) => entry.network === network?.networkId) ?? [];
  if (entries.length === 0) return null;
  return (
    <Field id="saved-address" label={form.fromBook}>
      <Select
        id="saved-address"
        value=""
        onChange={(event) => {
          const entry = entries.find(({ addressId }) => addressId === event.target.value);
          if (entry !== undefined) onChoose(entry);
        }}
      >
        <option value="">{form.chooseFromBook}</option>
        {entries.map(({ addressId, label, usable }) => (
          <option key={addressId} value={addressId} disabled={!usable}>
            {usable ? label : form.bookHold(label)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
