'use client';

import { MEMO_RULES } from '#domain/asset.ts';
import { parseShownAmount } from '#domain/money.ts';
import { Digits } from '../../../_components/digits.tsx';
import type { AssetView, NetworkView } from '../../../_trpc/api-types.ts';
import { useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import type { PairTerms } from './room-types.ts';
import { useReadsOnly } from './use-reads-only.ts';

const MOST_DECIMALS = 36; // As many as an asset may have.

/** Minimum, fee, memo rule and whether a person looks at every request of a pair. */
export function PairTermsDeed({
  assetId,
  network,
  reviewAll,
}: {
  assetId: string;
  network: NetworkView;
  reviewAll: boolean;
}) {
  const { assets } = useRoomWords();
  const { operator } = useTRPCClient();
  const blocked = useReadsOnly();
  const read = (typed: (name: string) => string) => ({
    asset: assetId,
    network: network.networkId,
    minimum: typed('minimum'),
    fee: typed('fee'),
    memoRule: MEMO_RULES.find((rule) => rule === typed('memoRule')) ?? null,
    reviewAll: typed('reviewAll') === assets.yes,
    enabled: network.enabled,
  });
  return (
    <Deed
      label={assets.change}
      says={assets.termsSays}
      blocked={blocked}
      confirms={(typed) => {
        const terms = read(typed);
        const widens = (reviewAll && !terms.reviewAll) || terms.memoRule !== network.memoRule;
        return widens ? { deed: 'set_pair', terms } : null;
      }}
      fields={[
        { name: 'minimum', label: assets.columns.minimum, value: network.minimum },
        { name: 'fee', label: assets.columns.fee, value: network.fee },
        { name: 'memoRule', label: assets.memoRule, value: network.memoRule, options: MEMO_RULES },
        {
          name: 'reviewAll',
          label: assets.reviewAll,
          value: reviewAll ? assets.yes : assets.no,
          options: [assets.no, assets.yes],
        },
      ]}
      run={async ({ typed, stepUp }) => {
        await operator.terms.changePair.mutate({ ...read(typed), stepUp });
        return assets.changed;
      }}
    />
  );
}

/** Each network once, with how deep is final and where a transaction can be looked at. */
export function NetworkTerms({ assets: list }: { assets: readonly AssetView[] }) {
  const { assets } = useRoomWords();
  const { operator } = useTRPCClient();
  const blocked = useReadsOnly();
  const networks = new Map(list.flatMap((asset) => asset.networks.map((network) => [network.networkId, network])));
  const { network: name, confirmations, explorer, act } = assets.networkColumns;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{assets.networks}</h2>
      <DataTable caption={assets.networks} columns={[name, confirmations, explorer, act]} wide={false}>
        {[...networks.values()].map((network) => (
          <tr key={network.networkId} data-testid={`network-${network.networkId}`}>
            <Cell className="font-medium">{network.name}</Cell>
            <Cell className="tabular-nums">{network.confirmationsRequired}</Cell>
            <Cell className="break-all font-mono text-xs">{network.explorerTransactionTemplate}</Cell>
            <Cell>
              <Deed
                label={assets.change}
                says={assets.networkSays}
                blocked={blocked}
                fields={[
                  { name: 'confirmations', label: confirmations, value: String(network.confirmationsRequired) },
                  {
                    name: 'explorer',
                    label: explorer,
                    value: network.explorerTransactionTemplate,
                    hint: assets.explorerHint,
                  },
                ]}
                confirms={(typed) => {
                  const terms = readNetwork(network.networkId, typed);
                  const isFewer = terms.confirmationsRequired < network.confirmationsRequired;
                  const isElsewhere =
                    hostOf(terms.explorerTransactionTemplate) !== hostOf(network.explorerTransactionTemplate);
                  return isFewer || isElsewhere ? { deed: 'set_network', terms } : null;
                }}
                run={async ({ typed, stepUp }) => {
                  await operator.terms.changeNetwork.mutate({ ...readNetwork(network.networkId, typed), stepUp });
                  return assets.changed;
                }}
              />
            </Cell>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

/** What an asset may lose in a day to one customer, and in doubt to all of them. */
export function AssetCaps({ pairs }: { pairs: readonly PairTerms[] }) {
  const { assets } = useRoomWords();
  const { operator } = useTRPCClient();
  const blocked = useReadsOnly();
  const caps = new Map(pairs.map((pair) => [pair.assetId, pair]));
  const { asset, cap, atRisk, act } = assets.capColumns;
  return (
    <section className="space-y-3">
      <h2 className="font-semibold">{assets.caps}</h2>
      <DataTable caption={assets.caps} columns={[asset, cap, atRisk, act]} wide={false}>
        {[...caps.values()].map((one) => (
          <tr key={one.assetId} data-testid={`caps-${one.assetId}`}>
            <Cell className="font-medium">{one.assetId}</Cell>
            <Cell className="tabular-nums">{one.cap24h === null ? assets.noCap : <Digits value={one.cap24h} />}</Cell>
            <Cell className="tabular-nums">
              {one.atRiskMax === null ? assets.noCap : <Digits value={one.atRiskMax} />}
            </Cell>
            <Cell>
              <Deed
                label={assets.change}
                says={assets.capsSays}
                blocked={blocked}
                fields={[
                  { name: 'cap', label: cap, value: one.cap24h ?? '', hint: assets.capsHint },
                  { name: 'atRisk', label: atRisk, value: one.atRiskMax ?? '', hint: assets.capsHint },
                ]}
                confirms={(typed) => {
                  const terms = readCaps(one.assetId, typed);
                  const isWider = capWidens(one.cap24h, terms.cap24h) || capWidens(one.atRiskMax, terms.atRiskMax);
                  return isWider ? { deed: 'set_asset', terms } : null;
                }}
                run={async ({ typed, stepUp }) => {
                  await operator.terms.changeAsset.mutate({ ...readCaps(one.assetId, typed), stepUp });
                  return assets.changed;
                }}
              />
            </Cell>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function readNetwork(network: string, typed: (name: string) => string) {
  return {
    network,
    confirmationsRequired: wholeNumber(typed('confirmations')),
    explorerTransactionTemplate: typed('explorer'),
  };
}

function readCaps(asset: string, typed: (name: string) => string) {
  return { asset, cap24h: typed('cap') || null, atRiskMax: typed('atRisk') || null };
}

/** As the database judges it. What is no amount is judged by the server, in words. */
function capWidens(was: string | null, becomes: string | null): boolean {
  if (was === null || becomes === null) return was !== null;
  const [old, asked] = [was, becomes].map((text) => parseShownAmount(text, MOST_DECIMALS));
  return old?.kind === 'ok' && asked?.kind === 'ok' && asked.minor > old.minor;
}

function hostOf(address: string): string {
  return address.split('/')[2] ?? '';
}

/** A count; below zero for what is none, which the server refuses in words. */
export function wholeNumber(text: string): number {
  return /^[0-9]{1,9}$/.test(text) ? +text : -1;
}
