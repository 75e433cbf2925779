import { useState } from 'react';
import type { FeeMode } from '#domain/withdrawal-fee.ts';
import { Amount } from '../../../_components/amount.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import type { AssetView, Quote } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';

type AmountFieldProps = {
  value: string;
  asset: AssetView | null;
  quote: Quote | null;
  feeMode: FeeMode;
  problem: string | null;
  onChange: (amount: string) => void;
};

/** A decimal text. Too many decimals are a problem to mend, never something to round. */
export function AmountField({ value, asset, quote, feeMode, problem, onChange }: AmountFieldProps) {
  const { form } = useWords();
  const [filled, setFilled] = useState<string | null>(null);
  const symbol = asset?.assetId ?? '';
  const maximum = quote === null ? '0' : feeMode === 'on_top' ? quote.maximumOnTop : quote.maximumFromAmount;
  const noMaximum = quote !== null && maximum === '0';
  const hint =
    quote === null
      ? null
      : noMaximum
        ? form.maxNothing
        : value !== '' && value === filled
          ? feeMode === 'on_top'
            ? form.maxUsed(quote.fee, symbol)
            : form.maxWhole
          : form.amountHint(quote.minimum, symbol);
  const fillMaximum = () => {
    if (quote === null || noMaximum) return;
    setFilled(maximum);
    onChange(maximum);
  };
  return (
    <Field
      id="amount"
      label={form.amount}
      error={problem}
      hint={hint}
      aside={
        quote !== null && (
          <span className="text-muted text-sm">
            {form.available} <Amount value={quote.available} asset={symbol} className="text-ink" />
          </span>
        )
      }
    >
      <div className="relative">
        <input
          id="amount"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          aria-invalid={problem !== null}
          aria-describedby={describedBy('amount', { hint: hint !== null, error: problem !== null })}
          className={classNames(CONTROL, 'min-h-14 pr-32 font-medium text-xl tabular-nums')}
        />
        <div className="absolute inset-y-0 right-2 flex items-center gap-2">
          <span aria-hidden="true" className="text-muted text-sm">
            {symbol}
          </span>
          <Button size="small" variant="quiet" aria-disabled={quote === null || noMaximum} onClick={fillMaximum}>
            {form.max}
          </Button>
        </div>
      </div>
    </Field>
  );
}
