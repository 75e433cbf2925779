import type { ReactNode } from 'react';
import { Button } from './ui/button.tsx';

type EntryFormProps = {
  busy: boolean;
  /** What the button says. */
  label: string;
  onSubmit: () => void;
  children: ReactNode;
  /** Where else somebody may have wanted to go. */
  below?: ReactNode;
};

/**
 * The frame of every form on the way in. What is wrong is said by us, beside the field; and before the page can listen a
 * press is a POST, so that no password comes to stand in an address.
 */
export function EntryForm({ busy, label, onSubmit, children, below }: EntryFormProps) {
  return (
    <form
      noValidate
      method="post"
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      <Button type="submit" variant="primary" size="large" busy={busy}>
        {label}
      </Button>
      {below}
    </form>
  );
}
