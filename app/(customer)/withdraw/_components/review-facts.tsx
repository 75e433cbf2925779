import { BookUser, CircleAlert, CircleCheck, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { Amount } from '../../../_components/amount.tsx';
import type { StepUpNeed } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';
import type { WithdrawalDraft } from './withdrawal-draft.ts';

type ReviewFactsProps = {
  draft: WithdrawalDraft;
  changeable: boolean;
  /** Null until it is known. */
  destination: StepUpNeed['destination'] | null;
};

/** Every value that will be sent, in full. Changing one makes another request, with another key. */
export function ReviewFacts({ draft, changeable, destination }: ReviewFactsProps) {
  const { facts, review, form } = useWords();
  const fact = (name: string, value: ReactNode, change = true) => (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1 py-3.5 first:pt-0 last:pb-0">
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="col-start-1 font-medium">{value}</dd>
      {change && changeable && (
        <dd className="col-start-2 row-span-2 row-start-1 self-center">
          <Link
            href={`/withdraw?draft=${draft.draftId}`}
            prefetch={false}
            className="inline-flex min-h-8 pointer-coarse:min-h-11 items-center rounded text-accent text-sm hover:underline"
            aria-label={review.changeWhat(name)}
          >
            {review.change}
          </Link>
        </dd>
      )}
    </div>
  );
  return (
    <dl className="divide-y divide-line">
      {fact(
        facts.amount,
        <span className="text-2xl tracking-tight">
          <Amount value={draft.arrives} asset={draft.asset} />
        </span>,
      )}
      {fact(facts.network, draft.networkName)}
      {fact(
        facts.address,
        <>
          <AddressText value={draft.address} className="text-lg leading-8" />
          {destination !== null && (
            <span className="flex flex-wrap gap-2 pt-1.5 font-normal text-sm">
              {destination.savedAs !== null && <Mark icon={BookUser}>{destination.savedAs}</Mark>}
              <Mark icon={destination.timesPaid === 0 ? CircleAlert : CircleCheck}>
                {review.timesPaid(destination.timesPaid)}
              </Mark>
            </span>
          )}
        </>,
      )}
      {draft.memo !== null && fact(facts.memo, draft.memo)}
      {fact(
        form.fee,
        <>
          <Amount value={draft.fee} asset={draft.asset} />
          <span className="block font-normal text-muted text-sm">
            {draft.feeMode === 'on_top' ? form.feeOnTop : form.feeFromAmount}
          </span>
        </>,
      )}
      {fact(facts.total, <Amount value={draft.total} asset={draft.asset} />, false)}
    </dl>
  );
}

function Mark({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full border border-line bg-raised px-2.5 py-0.5">
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
      {children}
    </span>
  );
}
