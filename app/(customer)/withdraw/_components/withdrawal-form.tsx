'use client';

import { ErrorSummary } from '../../../_components/error-summary.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { AddressField } from './address-field.tsx';
import { AmountField } from './amount-field.tsx';
import { AssetFields } from './asset-fields.tsx';
import { FeeModeField } from './fee-mode-field.tsx';
import type { FormValues } from './form-rules.ts';
import { FrozenNotice } from './frozen-notice.tsx';
import { MemoField } from './memo-field.tsx';
import { QuoteSummary } from './quote-summary.tsx';
import { SavedAddresses } from './saved-addresses.tsx';
import { useWithdrawalForm } from './use-withdrawal-form.ts';

/** Asset, network, address, amount, in this order; nothing is sent from here. */
export function WithdrawalForm({ initial }: { initial: FormValues }) {
  const words = useWords();
  const form = useWithdrawalForm(initial);
  const { values, change, asset, network, quote, verdict } = form;
  const problemOf = (id: string) => form.problems.find((problem) => problem.id === id)?.message ?? null;
  return (
    <form
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <Card className="space-y-5">
        <FrozenNotice />
        <ErrorSummary title={words.form.problem} problems={form.problems} attempt={form.attempt} />
        <AssetFields
          assets={form.assets.data?.assets ?? null}
          trouble={form.assets.data === undefined ? form.assets.error : null}
          onRetry={() => form.assets.refetch()}
          asset={asset}
          network={network}
          assetError={problemOf('asset')}
          networkError={problemOf('network')}
          onAsset={(assetId) => change({ assetId, networkId: '' })}
          onNetwork={(networkId) => change({ networkId })}
        />
        <SavedAddresses
          network={network}
          onChoose={(entry) => change({ address: entry.address, memo: entry.memo ?? '', noMemo: entry.memo === null })}
        />
        <AddressField
          value={values.address}
          network={network}
          check={form.addressCheck}
          error={problemOf('address')}
          comparison={form.comparison}
          comparisonError={problemOf('compared')}
          onChange={(address) => change({ address })}
        />
        {network !== null && network.memoRule !== 'none' && (
          <MemoField
            memo={values.memo}
            noMemo={values.noMemo}
            required={network.memoRule === 'required_choice'}
            error={problemOf('memo')}
            onChange={change}
          />
        )}
        <AmountField
          value={values.amount}
          asset={asset}
          quote={quote.data ?? null}
          feeMode={values.feeMode}
          problem={problemOf('amount') ?? (verdict.kind === 'problem' ? verdict.message : null)}
          onChange={(amount) => change({ amount })}
        />
        <FeeModeField value={values.feeMode} onChange={(feeMode) => change({ feeMode })} />
      </Card>
      <div className="space-y-4 lg:sticky lg:top-20">
        <QuoteSummary
          asset={asset}
          network={network}
          quote={quote.data ?? null}
          loading={quote.isLoading}
          trouble={quote.data === undefined ? quote.error : null}
          onRetry={() => quote.refetch()}
          verdict={verdict}
        />
        <Button type="submit" variant="primary" size="large" busy={form.busy}>
          {words.form.review}
        </Button>
      </div>
    </form>
  );
}
