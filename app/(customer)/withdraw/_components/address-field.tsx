import { useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useRef } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { CONTROL, describedBy, Field } from '../../../_components/ui/field.tsx';
import type { NetworkView } from '../../../_trpc/api-types.ts';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useWords } from '../../../_words/use-words.ts';
import { type AddressCheck, mustBeCompared } from './use-address-check.ts';

type AddressFieldProps = {
  value: string;
  network: NetworkView | null;
  check: AddressCheck | null;
  error: string | null;
  /** Where coins leave, an address that nothing checks is compared by eye. Left out where it is only saved. */
  comparison?: { isDone: boolean; mark: (done: boolean) => void };
  comparisonError?: string | null;
  onChange: (address: string) => void;
};

/** The destination, checked as typed, with the exact reason; once sound it is repeated in groups to compare by eye. */
export function AddressField(props: AddressFieldProps) {
  const { value, network, check, error, comparison, comparisonError = null, onChange } = props;
  const { form, addressProblem, addressWarning } = useWords();
  const trpc = useTRPC();
  const area = useRef<HTMLTextAreaElement>(null);
  const refused = check?.result.kind === 'refused' ? check.result : null;
  const problem = error ?? (refused === null ? null : addressProblem(refused.code, refused.detail));
  const sound = check?.result.kind === 'ok' ? check.result.address : null;
  const contract = useQuery({
    ...trpc.addressBook.contract.queryOptions({ address: sound?.canonical ?? '' }),
    enabled: sound?.family === 'evm' && problem === null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <div className="space-y-2">
      <Field id="address" label={form.address} error={problem} hint={form.addressHint}>
        {/* Two rows, so that the whole address shows on a phone; a line break is no part of any address. */}
        <textarea
          ref={area}
          id="address"
          rows={2}
          value={value}
          onChange={(event) => onChange(event.target.value.replace(/[\r\n]+/g, ''))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            area.current?.form?.requestSubmit();
          }}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          aria-invalid={problem !== null}
          aria-describedby={describedBy('address', { hint: true, error: problem !== null })}
          className={classNames(CONTROL, 'resize-none break-all py-3 font-mono text-[0.95rem] leading-6')}
        />
      </Field>
      <div role="status">
        {sound !== null && network !== null && problem === null && (
          <div className="settle-in space-y-1.5 rounded-xl bg-good-soft px-3.5 py-3 text-sm">
            <p className="flex items-center gap-1.5 font-medium text-good">
              <CircleCheck aria-hidden="true" className="size-4 shrink-0" />
              {form.addressLooksRight(network.name)}
            </p>
            <p>
              <AddressText value={sound.display} />
            </p>
            {contract.data?.kind === 'contract' && <p className="text-warn">{addressWarning.contract}</p>}
            {sound.warnings.map((warning) => (
              <p key={warning} className="text-warn">
                {addressWarning[warning]}
              </p>
            ))}
          </div>
        )}
      </div>
      {comparison !== undefined && sound !== null && problem === null && mustBeCompared(sound) && (
        <>
          <label className="flex min-h-8 pointer-coarse:min-h-11 items-start gap-2.5 text-sm">
            <input
              id="compared"
              type="checkbox"
              checked={comparison.isDone}
              onChange={(event) => comparison.mark(event.target.checked)}
              aria-invalid={comparisonError !== null}
              aria-describedby={describedBy('compared', { error: comparisonError !== null })}
              className="size-5 shrink-0 accent-accent"
            />
            {form.compared}
          </label>
          {comparisonError !== null && (
            <p id="compared-error" className="text-bad text-sm">
              {comparisonError}
            </p>
          )}
        </>
      )}
    </div>
  );
}
