import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { useWords } from '../../../_words/use-words.ts';

type MemoFieldProps = {
  memo: string;
  noMemo: boolean;
  required: boolean;
  error: string | null;
  onChange: (changed: { memo?: string; noMemo?: boolean }) => void;
};

/** The tag, or the deliberate word that none is needed; an empty field alone says neither. */
export function MemoField({ memo, noMemo, required, error, onChange }: MemoFieldProps) {
  const { form } = useWords();
  return (
    <div className="space-y-2">
      <Field id="memo" label={form.memo} error={error} hint={form.memoHint}>
        <input
          id="memo"
          value={memo}
          onChange={(event) => onChange({ memo: event.target.value, noMemo: false })}
          autoComplete="off"
          spellCheck={false}
          aria-invalid={error !== null}
          aria-describedby={describedBy('memo', { hint: true, error: error !== null })}
          className={CONTROL}
        />
      </Field>
      {required && (
        <label className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={noMemo}
            onChange={(event) => onChange({ memo: '', noMemo: event.target.checked })}
            className="size-5 accent-accent"
          />
          {form.memoNone}
        </label>
      )}
    </div>
  );
}
