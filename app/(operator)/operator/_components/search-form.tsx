'use client';

import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, Field } from '../../../_components/ui/field.tsx';

type SearchFormProps = { label: string; button: string; value: string; apply: (text: string) => void };

/** One box that finds; what it found is in the URL. */
export function SearchForm({ label, button, value, apply }: SearchFormProps) {
  return (
    <form
      key={value}
      className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        apply(String(new FormData(event.currentTarget).get('search') ?? '').trim());
      }}
    >
      <Field id="search" label={label}>
        <input id="search" name="search" type="search" defaultValue={value} autoComplete="off" className={CONTROL} />
      </Field>
      <Button type="submit" variant="primary" className="min-h-12">
        {button}
      </Button>
    </form>
  );
}
