import type { ReactNode } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import type { OperatorWithdrawal } from '../../../_trpc/api-types.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';

type Row = { name: string; value: ReactNode; copy?: string | null };

/** Our row, field by field. */
export function OperatorFacts({ withdrawal }: { withdrawal: OperatorWithdrawal['withdrawal'] }) {
  const words = useWords();
  const operator = useOperatorWords();
  const { facts, progress } = words;
  const text = (name: string, value: string | null): Row => ({ name, value: value ?? facts.none });
  const copied = (name: string, value: string | null, inGroups = false): Row => ({
    name,
    value:
      value === null ? (
        facts.none
      ) : inGroups ? (
        <AddressText value={value} />
      ) : (
        <span className="font-mono">{value}</span>
      ),
    copy: value,
  });
  const rows: Row[] = [
    copied(operator.withdrawalId, withdrawal.withdrawalId),
    copied(operator.key, withdrawal.idempotencyKey),
    // The name of its trace: the same digits.
    copied(operator.traceId, withdrawal.withdrawalId.replaceAll('-', '')),
    text(operator.customer, withdrawal.customerEmail),
    { name: operator.total, value: <Amount value={withdrawal.total} asset={withdrawal.asset} /> },
    { name: facts.fee, value: <Amount value={withdrawal.fee} asset={withdrawal.asset} /> },
    text(facts.network, withdrawal.networkName),
    copied(facts.address, withdrawal.address, true),
    text(facts.memo, withdrawal.memo),
    text(operator.provider, withdrawal.provider),
    copied(operator.transferId, withdrawal.transferId),
    copied(progress.hash, withdrawal.transactionHash, true),
    text(
      words.step('on_the_network'),
      progress.confirmations(withdrawal.confirmations, withdrawal.confirmationsRequired),
    ),
    text(operator.fence, String(withdrawal.fence)),
    text(operator.revision, String(withdrawal.revision)),
    {
      name: operator.nextActionAt,
      value: withdrawal.nextActionAt === null ? facts.none : <TimeText at={withdrawal.nextActionAt} />,
    },
    { name: facts.requestedAt, value: <TimeText at={withdrawal.requestedAt} /> },
  ];
  return (
    <dl className="space-y-3 text-sm">
      {rows.map(({ name, value, copy }) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="flex items-start justify-between gap-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">{value}</span>
            {typeof copy === 'string' && <CopyButton text={copy} what={name.toLowerCase()} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
