import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorSummary, type FieldProblem } from '../../../_components/error-summary.tsx';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import { readApiError, readReference } from '../../../_trpc/read-api-error.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { AddressField } from '../../withdraw/_components/address-field.tsx';
import { useAddressCheck } from '../../withdraw/_components/use-address-check.ts';

const EMPTY = { label: '', networkId: '', address: '', memo: '' };

/** A new destination: name, network, address, and the tag where the network has one. */
export function AddressForm() {
  const words = useWords();
  const { addresses } = useAccountWords();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const assets = useQuery({ ...trpc.asset.list.queryOptions(), staleTime: 60_000 });
  const [values, setValues] = useState(EMPTY);
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const networks = [
    ...new Map(
      assets.data?.assets.flatMap((asset) => asset.networks.map((one) => [one.networkId, one])) ?? [],
    ).values(),
  ];
  const network = networks.find(({ networkId }) => networkId === values.networkId) ?? null;
  const check = useAddressCheck(network?.family ?? null, values.address.trim());
  const add = useMutation(
    trpc.addressBook.add.mutationOptions({
      onSuccess: () => {
        setValues(EMPTY);
        return queryClient.invalidateQueries({ queryKey: trpc.addressBook.list.queryKey() });
      },
      onError: (error) => {
        const answer = readApiError(error);
        const [field = 'address'] = answer.kind === 'answered' ? answer.refusal.fields : [];
        const message =
          answer.kind === 'silent'
            ? addresses.failed
            : words.addressProblem(
                answer.refusal.code,
                answer.refusal.detail ?? words.refusal(answer.refusal.code, answer.refusal.message),
              );
        show([{ id: FIELD_IDS[field] ?? 'address', message }]);
      },
    }),
  );
  const show = (found: FieldProblem[]) => {
    setProblems(found);
    setAttempt((count) => count + 1);
  };
  const problemOf = (id: string) => problems.find((problem) => problem.id === id)?.message ?? null;
  const change = (changed: Partial<typeof EMPTY>) => {
    setValues((before) => ({ ...before, ...changed }));
    setProblems([]);
  };
  const submit = () => {
    if (add.isPending) return;
    const found: FieldProblem[] = [];
    if (values.label.trim() === '') found.push({ id: 'label', message: addresses.labelMissing });
    if (network === null) found.push({ id: 'book-network', message: addresses.networkMissing });
    if (values.address.trim() === '') found.push({ id: 'address', message: addresses.addressMissing });
    if (found.length > 0 || network === null) {
      add.reset();
      return show(found);
    }
    const memo = network.memoRule === 'none' || values.memo.trim() === '' ? null : values.memo.trim();
    add.mutate({ label: values.label.trim(), network: network.networkId, address: values.address.trim(), memo });
  };
  return (
    <Card>
      <form
        noValidate
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 className="font-semibold">{addresses.add}</h2>
        <ErrorSummary title={addresses.problem} problems={problems} attempt={attempt} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field id="label" label={addresses.label} hint={addresses.labelHint} error={problemOf('label')}>
            <input
              id="label"
              value={values.label}
              maxLength={60}
              autoComplete="off"
              onChange={(event) => change({ label: event.target.value })}
              aria-invalid={problemOf('label') !== null}
              aria-describedby={describedBy('label', { hint: true, error: problemOf('label') !== null })}
              className={CONTROL}
            />
          </Field>
          <Field id="book-network" label={addresses.network} error={problemOf('book-network')}>
            <Select
              id="book-network"
              value={values.networkId}
              onChange={(event) => change({ networkId: event.target.value, memo: '' })}
              aria-invalid={problemOf('book-network') !== null}
              aria-describedby={describedBy('book-network', { error: problemOf('book-network') !== null })}
            >
              <option value="" disabled>
                {addresses.chooseNetwork}
              </option>
              {networks.map(({ networkId, name }) => (
                <option key={networkId} value={networkId}>
                  {name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <AddressField
          value={values.address}
          network={network}
          check={check}
          error={problemOf('address')}
          onChange={(address) => change({ address })}
        />
        {network !== null && network.memoRule !== 'none' && (
          <Field id="memo" label={addresses.memo} hint={addresses.memoHint} error={problemOf('memo')}>
            <input
              id="memo"
              value={values.memo}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ memo: event.target.value })}
              aria-invalid={problemOf('memo') !== null}
              aria-describedby={describedBy('memo', { hint: true, error: problemOf('memo') !== null })}
              className={CONTROL}
            />
          </Field>
        )}
        {problems.length > 0 && <Reference id={readReference(add.error)} />}
        <Button type="submit" variant="primary" busy={add.isPending}>
          {add.isPending ? addresses.busy : addresses.submit}
        </Button>
        <div role="status">{add.isSuccess && <Notice tone="good" title={addresses.saved(add.data.entry.label)} />}</div>
      </form>
    </Card>
  );
}

const FIELD_IDS: Readonly<Partial<Record<string, string>>> = {
  label: 'label',
  network: 'book-network',
  address: 'address',
  memo: 'memo',
};
