'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import type { FieldProblem } from '../../../_components/error-summary.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { writeDraft } from './browser-store.ts';
import { amountVerdict, type FormValues, onlyNetwork } from './form-rules.ts';
import { mintKey } from './mint-key.ts';
import { QUOTE_REFRESH_MS } from './quote-refresh.ts';
import { checkAddress, mustBeCompared, useAddressCheck } from './use-address-check.ts';

/** Holds what is typed, judges it as it is typed, and turns a sound form into a draft with a review page of its own. */
export function useWithdrawalForm(initial: FormValues) {
  const words = useWords();
  const { userId } = usePerson();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const [values, setValues] = useState(initial);
  const [attempt, setAttempt] = useState(0);
  const [problems, setProblems] = useState<FieldProblem[]>([]);
  const [busy, setBusy] = useState(false);
  /** The address that was compared by eye; another one has to be compared anew. */
  const [compared, setCompared] = useState<string | null>(null);
  const submitting = useRef(false);

  const assets = useQuery({ ...trpc.asset.list.queryOptions(), staleTime: 60_000 });
  const asset = assets.data?.assets.find(({ assetId }) => assetId === values.assetId) ?? null;
  const network = asset?.networks.find(({ networkId }) => networkId === values.networkId) ?? onlyNetwork(asset) ?? null;
  const quoteOptions = trpc.withdrawal.quote.queryOptions({
    asset: asset?.assetId ?? '',
    network: network?.networkId ?? '',
  });
  const quote = useQuery({
    ...quoteOptions,
    enabled: asset !== null && network !== null,
    refetchInterval: QUOTE_REFRESH_MS,
    // Whoever comes back from a withdrawal is offered what is left, not what the form knew before: choosing the asset asks anew.
    staleTime: 0,
  });
  const addressText = values.address.trim();
  const addressCheck = useAddressCheck(network?.family ?? null, addressText);
  const verdict =
    quote.data && asset !== null
      ? amountVerdict(values, asset.assetId, quote.data, words)
      : ({ kind: 'empty' } as const);

  const change = (changed: Partial<FormValues>) => {
    setValues((before) => ({ ...before, ...changed }));
    // A field that is being mended no longer shows yesterday's complaint.
    setProblems((before) => before.filter(({ id }) => !Object.keys(changed).some((name) => FIELD_OF[name] === id)));
  };

  const findProblems = async (): Promise<FieldProblem[]> => {
    const { missing } = words.form;
    const found: FieldProblem[] = [];
    if (asset === null) found.push({ id: 'asset', message: missing.asset });
    if (network === null) found.push({ id: 'network', message: missing.network });
    if (addressText === '') found.push({ id: 'address', message: missing.address });
    else if (network !== null) {
      const result = await checkAddress(network.family, addressText).catch(() => null);
      if (result?.kind === 'refused')
        found.push({ id: 'address', message: words.addressProblem(result.code, result.detail) });
      if (result?.kind === 'ok' && mustBeCompared(result.address) && compared !== addressText) {
        found.push({ id: 'compared', message: missing.compared });
      }
    }
    if (network?.memoRule === 'required_choice' && values.memo.trim() === '' && !values.noMemo) {
      found.push({ id: 'memo', message: missing.memo });
    }
    if (values.amount.trim() === '') found.push({ id: 'amount', message: missing.amount });
    return found;
  };

  const review = async () => {
    const found = await findProblems();
    if (found.length > 0 || asset === null || network === null) return setProblems(found);
    const fresh = await queryClient.ensureQueryData(quoteOptions).catch(() => null);
    if (fresh === null) return setProblems([{ id: 'amount', message: words.form.missing.quote }]);
    const judged = amountVerdict(values, asset.assetId, fresh, words);
    if (judged.kind !== 'ok') {
      const message = judged.kind === 'problem' ? judged.message : words.form.missing.amount;
      return setProblems([{ id: 'amount', message }]);
    }
    const checked = await checkAddress(network.family, addressText).catch(() => null);
    const draftId = mintKey(window.crypto);
    const stored = writeDraft(
      userId,
      {
        draftId,
        createdAt: new Date().toISOString(),
        asset: asset.assetId,
        network: network.networkId,
        networkName: network.name,
        address: checked?.kind === 'ok' ? checked.address.display : addressText,
        memo: network.memoRule === 'none' || values.memo.trim() === '' ? null : values.memo.trim(),
        amount: judged.asked,
        arrives: judged.amount,
        fee: fresh.fee,
        total: judged.total,
        feeMode: values.feeMode,
        lookAlikeOf: null,
      },
      Date.now(),
    );
    if (!stored) return setProblems([{ id: 'amount', message: words.form.notStored }]);
    setProblems([]);
    router.push(`/withdraw/review/${draftId}`);
  };

  const submit = async () => {
    if (submitting.current) return;
    submitting.current = true;
    setBusy(true);
    try {
      await review();
      setAttempt((count) => count + 1);
    } finally {
      submitting.current = false;
      setBusy(false);
    }
  };

  const comparison = {
    isDone: compared === addressText,
    mark: (done: boolean) => {
      setCompared(done ? addressText : null);
      setProblems((before) => before.filter(({ id }) => id !== 'compared'));
    },
  };
  return {
    values,
    change,
    comparison,
    submit,
    busy,
    attempt,
    problems,
    assets,
    asset,
    network,
    quote,
    verdict,
    addressCheck,
  };
}

const FIELD_OF: Record<string, string> = {
  assetId: 'asset',
  networkId: 'network',
  address: 'address',
  memo: 'memo',
  noMemo: 'memo',
  amount: 'amount',
  feeMode: 'amount',
};
