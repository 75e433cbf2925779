import { CONTROL, describedBy, Field } from '../../_components/ui/field.tsx';

type TextFieldProps = {
  id: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  autoComplete: string;
  value: string;
  hint?: string;
  error?: string | null;
  onChange: (value: string) => void;
};

/** One line of text with its label, hint and error. */
export function TextField({ id, label, type = 'text', autoComplete, value, hint, error, onChange }: TextFieldProps) {
  const hasError = error !== undefined && error !== null;
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <input
        id={id}
        type={type}
        autoComplete={autoComplete}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={hasError}
        aria-describedby={describedBy(id, { hint: hint !== undefined, error: hasError })}
        className={CONTROL}
      />
    </Field>
  );
}
