import type { ReactNode } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { TimeText } from '../../../_components/time-text.tsx';
import type { OperatorWithdrawal } from '../../../_trpc/api-types.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';

/** Our row, field by field. */
export function OperatorFacts({ withdrawal }: { withdrawal: OperatorWithdrawal['withdrawal'] }) {
  const words = useWords();
  const operator = useOperatorWords();
  const { facts, progress } = words;
  const text = (name: string, value: string | null, copy = false): [string, ReactNode] => [
    name,
    value === null ? (
      facts.none
    ) : copy ? (
      <>
        <AddressText value={value} /> <CopyButton text={value} what={name.toLowerCase()} />
      </>
    ) : (
      value
    ),
  ];
  const rows: [string, ReactNode][] = [
    text(facts.withdrawalId, withdrawal.withdrawalId, true),
    text(operator.key, withdrawal.idempotencyKey, true),
    text(operator.customer, withdrawal.customerEmail),
    [facts.total, <Amount key="total" value={withdrawal.total} asset={withdrawal.asset} />],
    [facts.fee, <Amount key="fee" value={withdrawal.fee} asset={withdrawal.asset} />],
    text(facts.network, withdrawal.networkName),
    text(facts.address, withdrawal.address, true),
    text(facts.memo, withdrawal.memo),
    text(operator.provider, withdrawal.provider),
    text(operator.transferId, withdrawal.transferId, true),
    text(progress.hash, withdrawal.transactionHash, true),
    [words.step('on_the_network'), progress.confirmations(withdrawal.confirmations, withdrawal.confirmationsRequired)],
    text(operator.fence, String(withdrawal.fence)),
    text(operator.revision, String(withdrawal.revision)),
    [
      operator.nextActionAt,
      withdrawal.nextActionAt === null ? facts.none : <TimeText key="next" at={withdrawal.nextActionAt} />,
    ],
    [facts.requestedAt, <TimeText key="requested" at={withdrawal.requestedAt} />],
  ];
  return (
    <dl className="space-y-3 text-sm">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt className="text-muted">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
