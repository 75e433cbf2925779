import { Amount } from '../../../_components/amount.tsx';
import { ScrollFrame } from '../../../_components/ui/scroll-frame.tsx';
import type { OperatorWithdrawal } from '../../../_trpc/api-types.ts';
import { useOperatorWords } from '../../../_words/use-operator-words.ts';
import { useWords } from '../../../_words/use-words.ts';

/** The entries of this withdrawal: hold, then post or void. */
export function OperatorLedger({ ledger, asset }: { ledger: OperatorWithdrawal['ledger']; asset: string }) {
  const operator = useOperatorWords();
  const { code } = useWords();
  const { kind, debit, credit, amount } = operator.ledgerColumns;
  if (ledger.length === 0) return <p className="text-muted text-sm">{operator.ledgerEmpty}</p>;
  return (
    <ScrollFrame label={operator.ledger}>
      <table className="w-full min-w-140 text-left text-sm">
        <thead className="border-line border-b text-muted text-xs">
          <tr>
            {[kind, debit, credit].map((name) => (
              <th key={name} scope="col" className="px-4 py-3 font-medium">
                {name}
              </th>
            ))}
            <th scope="col" className="px-4 py-3 text-right font-medium">
              {amount}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {ledger.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the ledger is append-only.
            <tr key={index}>
              <td className="px-4 py-3 font-medium">{code(entry.transferKind)}</td>
              <td className="px-4 py-3 font-mono text-xs">{entry.debit}</td>
              <td className="px-4 py-3 font-mono text-xs">{entry.credit}</td>
              <td className="px-4 py-3 text-right">
                <Amount value={entry.amount} asset={asset} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
