import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Amount } from '../../../_components/amount.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import type { AssetView, NetworkView, Quote } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';
import { arrivalMinutes } from './arrival-minutes.ts';
import { type AmountVerdict, roughWorth } from './form-rules.ts';
import { LimitLeft, QuotedLimitLeft } from './limit-left.tsx';

type QuoteSummaryProps = {
  asset: AssetView | null;
  network: NetworkView | null;
  quote: Quote | null;
  loading: boolean;
  /** Why there is no quote; null while there is nothing to complain about. */
  trouble: unknown;
  onRetry: () => void;
  verdict: AmountVerdict;
};

/** Fee, what arrives, what leaves and what is left, before anything is pressed. */
export function QuoteSummary(props: QuoteSummaryProps) {
  const { asset, network, quote, loading, trouble, verdict } = props;
  const { form } = useWords();
  const symbol = asset?.assetId ?? '';
  const shown = (value: string | null): ReactNode => (value === null ? '–' : <Amount value={value} asset={symbol} />);
  const sound = verdict.kind === 'ok' ? verdict : null;
  const worth =
    sound === null || quote === null || quote.worth === null
      ? null
      : roughWorth(sound.amount, quote.decimals, quote.worth.perUnit);
  return (
    <Card className="space-y-4" aria-busy={loading}>
      <h2 className="font-semibold">{form.summary}</h2>
      {quote === null && !loading && trouble === null && <p className="text-muted text-sm">{form.noQuote}</p>}
      {trouble !== null && <LoadTrouble error={trouble} onRetry={props.onRetry} className="text-sm" />}
      {loading && <Skeleton className="h-33 w-full" />}
      {quote !== null && (
        <>
          {quote.paused && <Notice tone="warn" title={form.paused} />}
          <dl className="space-y-2.5 text-sm">
            <Line name={form.fee}>{shown(quote.fee)}</Line>
            <Line name={form.total}>{shown(sound?.total ?? null)}</Line>
            <Line name={form.remains}>{shown(sound?.remains ?? null)}</Line>
            <div className="flex items-baseline justify-between gap-4 border-line border-t pt-3">
              <dt className="font-medium">{form.arrives}</dt>
              <dd className="text-right">
                <span className="font-semibold text-lg">{shown(sound?.amount ?? null)}</span>
                {worth !== null && (
                  <span className="block text-muted">
                    {form.about} <Amount value={worth} asset={quote.worth?.currency ?? ''} />
                  </span>
                )}
              </dd>
            </div>
          </dl>
          {network !== null && (
            <p className="text-muted text-sm">
              {form.arrivesWithin(network.name, network.confirmationsRequired, arrivalMinutes(network))}
            </p>
          )}
        </>
      )}
      {quote?.limit ? (
        <QuotedLimitLeft limit={quote.limit} symbol={symbol} reviewed={sound?.reviewed ?? false} />
      ) : (
        <LimitLeft />
      )}
      <p className="flex gap-2.5 rounded-xl bg-raised p-3 text-muted text-sm">
        <ShieldCheck aria-hidden="true" className="size-5 shrink-0 text-accent" />
        <span>
          <strong className="font-medium text-ink">{form.onceTitle}.</strong> {form.once}
        </span>
      </p>
    </Card>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}
