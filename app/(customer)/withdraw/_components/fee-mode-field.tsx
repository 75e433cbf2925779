import type { FeeMode } from '#domain/withdrawal-fee.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Who pays the fee: it comes on top of the amount, or out of it. */
export function FeeModeField({ value, onChange }: { value: FeeMode; onChange: (feeMode: FeeMode) => void }) {
  const { form } = useWords();
  const choice = (feeMode: FeeMode, label: string, more: string) => (
    <label className="flex cursor-pointer items-start gap-3 rounded-xl border border-line px-3.5 py-3 has-checked:border-accent has-checked:bg-accent-soft">
      <input
        type="radio"
        name="fee-mode"
        checked={value === feeMode}
        onChange={() => onChange(feeMode)}
        className="mt-0.5 size-5 shrink-0 accent-accent"
      />
      <span>
        <span className="block font-medium text-sm">{label}</span>
        <span className="block text-muted text-sm">{more}</span>
      </span>
    </label>
  );
  return (
    <fieldset className="space-y-1.5">
      <legend className="font-medium text-sm">{form.feeMode}</legend>
      <div className="grid gap-2.5 sm:grid-cols-2">
        {choice('on_top', form.feeOnTop, form.feeOnTopMore)}
        {choice('from_amount', form.feeFromAmount, form.feeFromAmountMore)}
      </div>
    </fieldset>
  );
}
