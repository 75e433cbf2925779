import type { ReactNode } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import type { WithdrawalView } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';

/** What was asked for, in full. */
export function WithdrawalFacts({ withdrawal }: { withdrawal: WithdrawalView }) {
  const { facts } = useWords();
  const { asset } = withdrawal;
  return (
    <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <Fact name={facts.amount}>
        <Amount value={withdrawal.amount} asset={asset} />
      </Fact>
      <Fact name={facts.network}>{withdrawal.networkName}</Fact>
      <Fact name={facts.fee}>
        <Amount value={withdrawal.fee} asset={asset} />
      </Fact>
      <Fact name={facts.total}>
        <Amount value={withdrawal.total} asset={asset} />
      </Fact>
      <Fact name={facts.address} copy={withdrawal.address} wide>
        <AddressText value={withdrawal.address} className="leading-7" />
      </Fact>
      {withdrawal.memo !== null && <Fact name={facts.memo}>{withdrawal.memo}</Fact>}
      <Fact name={facts.requestedAt}>
        <TimeText at={withdrawal.requestedAt} />
      </Fact>
      <Fact name={facts.withdrawalId} copy={withdrawal.withdrawalId} wide>
        <span className="break-all font-mono text-[0.92em]">{withdrawal.withdrawalId}</span>
      </Fact>
    </dl>
  );
}

function Fact(props: { name: string; wide?: boolean; copy?: string; children: ReactNode }) {
  const { name, wide = false, copy, children } = props;
  return (
    <div className={wide ? 'sm:col-span-2' : undefined}>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="flex items-start gap-2 font-medium">
        <span className="min-w-0">{children}</span>
        {copy !== undefined && <CopyButton text={copy} what={name.toLowerCase()} />}
      </dd>
    </div>
  );
}
