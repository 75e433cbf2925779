import { Amount } from '../../../_components/amount.tsx';
import type { OperatorWithdrawal } from '../../../_trpc/api-types.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';

/** The entries of this withdrawal: hold, then post or void. */
export function OperatorLedger({ ledger, asset }: { ledger: OperatorWithdrawal['ledger']; asset: string }) {
  const operator = useOperatorWords();
  const { code } = useWords();
  const { kind, debit, credit, amount } = operator.ledgerColumns;
  if (ledger.length === 0) return <p className="text-muted text-sm">{operator.ledgerEmpty}</p>;
  return (
    <DataTable caption={operator.ledger} columns={[kind, debit, credit, { name: amount, right: true }]} wide={false}>
      {ledger.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the ledger is append-only.
        <tr key={index}>
          <Cell className="font-medium">{code(entry.transferKind)}</Cell>
          <Cell className="font-mono text-xs">{entry.debit}</Cell>
          <Cell className="font-mono text-xs">{entry.credit}</Cell>
          <Cell right>
            <Amount value={entry.amount} asset={asset} />
          </Cell>
        </tr>
      ))}
    </DataTable>
  );
}
