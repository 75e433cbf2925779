import { type ReactNode, useState } from 'react';
import { Reference } from '../../../_components/reference.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';

type OneLineFormProps = {
  id: string;
  label: string;
  hint?: string;
  submit: string;
  kind: 'password' | 'code';
  busy: boolean;
  problem: string | null;
  /** What to name to the support about the problem. */
  reference: string | null;
  danger?: boolean;
  onSubmit: (text: string) => void;
  onCancel?: () => void;
  children?: ReactNode;
};

/** One field and its button: a password asked again, or a code. What was typed is gone when it is sent. */
export function OneLineForm(props: OneLineFormProps) {
  const { id, label, hint, kind, busy, problem, onSubmit, onCancel } = props;
  const { security } = useAccountWords();
  const [text, setText] = useState('');
  return (
    <form
      noValidate
      method="post"
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy || text === '') return document.getElementById(id)?.focus();
        onSubmit(text);
        setText('');
      }}
    >
      {props.children}
      <Field id={id} label={label} hint={hint} error={problem}>
        <input
          id={id}
          type={kind === 'password' ? 'password' : 'text'}
          autoComplete={kind === 'password' ? 'current-password' : 'one-time-code'}
          inputMode={kind === 'code' ? 'text' : undefined}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-invalid={problem !== null}
          aria-describedby={describedBy(id, { hint: hint !== undefined, error: problem !== null })}
          className={CONTROL}
        />
      </Field>
      <Reference id={props.reference} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant={props.danger === true ? 'danger' : 'primary'} busy={busy}>
          {props.submit}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>{security.cancel}</Button>}
      </div>
    </form>
  );
}
