import { useEffect, useRef } from 'react';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { Button } from '../../../_components/ui/button.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';

/** The codes, this once. They take the focus, so that nobody scrolls past them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { security: words } = useAccountWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="space-y-3 rounded-xl bg-warn-soft p-4">
      <div className="flex items-center justify-between gap-2">
        <h3 ref={heading} tabIndex={-1} className="font-semibold">
          {words.codes}
        </h3>
        <CopyButton text={codes.join('\n')} what={words.codes.toLowerCase()} />
      </div>
      <p className="text-sm">{words.codesLead}</p>
      <ul className="grid grid-cols-1 gap-1 font-mono text-sm min-[22rem]:grid-cols-2" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Button onClick={onDone}>{words.codesDone}</Button>
    </div>
  );
}
