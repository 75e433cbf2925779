'use client';

import { useQuery } from '@tanstack/react-query';
import { Amount } from '../../../_components/amount.tsx';
import { Digits } from '../../../_components/digits.tsx';
import { durationText } from '../../../_components/duration-text.ts';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { AssetCaps, NetworkTerms, PairTermsDeed } from './asset-terms.tsx';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { LiveHeading } from './live-heading.tsx';
import { PriceDeeds } from './price-deeds.tsx';
import { useReadsOnly } from './use-reads-only.ts';

const REFRESH_MS = 10_000;

/** Pairs with their terms and what the wallets hold, and the prices that limits are counted in. */
export function AssetsPage() {
  const room = useRoomWords();
  const { assets } = room;
  const trpc = useTRPC();
  const { operator } = useTRPCClient();
  const query = useQuery({ ...trpc.asset.list.queryOptions(), refetchInterval: REFRESH_MS });
  const house = useQuery({ ...trpc.operator.overview.show.queryOptions(), refetchInterval: REFRESH_MS });
  const terms = useQuery({ ...trpc.operator.terms.show.queryOptions(), refetchInterval: REFRESH_MS });
  const readsOnly = useReadsOnly();
  const { pair, minimum, fee, confirmations, state, hot } = assets.columns;
  const hotOf = (asset: string, network: string) =>
    house.data?.hot.find((one) => one.asset === asset && one.networkId === network);
  const reviewAllOf = (asset: string, network: string) =>
    terms.data?.pairs.some((one) => one.assetId === asset && one.networkId === network && one.reviewAll) ?? false;
  return (
    <>
      <LiveHeading title={room.pages.assets} lead={assets.lead} query={query} />
      {query.data !== undefined && (
        <DataTable caption={room.pages.assets} columns={[pair, minimum, fee, confirmations, hot, state]}>
          {query.data.assets.flatMap(({ assetId, networks }) =>
            networks.map((network) => {
              const wallet = hotOf(assetId, network.networkId);
              const turned = {
                asset: assetId,
                network: network.networkId,
                minimum: network.minimum,
                fee: network.fee,
                enabled: !network.enabled,
              };
              return (
                <tr key={`${assetId} ${network.networkId}`} data-testid={`pair-${assetId}-${network.networkId}`}>
                  <Cell className="font-medium">
                    {assetId}, {network.name}
                    {network.contract !== null && (
                      <span className="block break-all font-mono text-muted text-xs">{network.contract}</span>
                    )}
                  </Cell>
                  <Cell>
                    <Amount value={network.minimum} asset={assetId} />
                  </Cell>
                  <Cell>
                    <Amount value={network.fee} asset={assetId} />
                  </Cell>
                  <Cell className="tabular-nums">{network.confirmationsRequired}</Cell>
                  <Cell>
                    {wallet === undefined ? room.unknown : <Amount value={wallet.available} asset={assetId} />}
                    {wallet !== undefined && (
                      <span className="block text-muted text-xs">{room.ago(durationText(wallet.ageSeconds))}</span>
                    )}
                  </Cell>
                  <Cell className="space-y-2">
                    <p className={network.enabled ? 'text-good' : 'font-semibold text-bad'}>
                      {network.enabled ? assets.enabled : assets.disabled}
                    </p>
                    <div className="flex flex-wrap gap-2">
                      <Deed
                        label={network.enabled ? assets.disable : assets.enable}
                        says={network.enabled ? assets.disableSays : assets.enableSays}
                        tone={network.enabled ? 'danger' : 'secondary'}
                        blocked={readsOnly}
                        confirms={network.enabled ? null : { deed: 'set_pair', terms: turned }}
                        run={async ({ stepUp }) => {
                          await operator.terms.changePair.mutate({ ...turned, stepUp });
                          return assets.changed;
                        }}
                      />
                      {/* Its form begins with what stands, and would change what was not read yet. */}
                      {terms.data !== undefined && (
                        <PairTermsDeed
                          assetId={assetId}
                          network={network}
                          reviewAll={reviewAllOf(assetId, network.networkId)}
                        />
                      )}
                    </div>
                  </Cell>
                </tr>
              );
            }),
          )}
        </DataTable>
      )}
      {query.data !== undefined && <NetworkTerms assets={query.data.assets} />}
      {terms.data !== undefined && <AssetCaps pairs={terms.data.pairs} />}
      {terms.data !== undefined && (
        <section className="space-y-3">
          <h2 className="font-semibold">{assets.prices}</h2>
          <DataTable
            caption={assets.prices}
            columns={[
              assets.priceColumns.asset,
              assets.priceColumns.price,
              assets.priceColumns.source,
              assets.priceColumns.age,
              assets.act,
            ]}
            wide={false}
          >
            {terms.data.prices.map((price) => (
              <tr key={price.assetId}>
                <Cell className="font-medium">{price.assetId}</Cell>
                <Cell className="tabular-nums">
                  {price.price === null ? assets.missing : <Digits value={price.price} />}
                </Cell>
                <Cell>{price.source ?? '–'}</Cell>
                <Cell className={price.stale ? 'font-semibold text-warn' : 'tabular-nums'}>
                  {price.ageSeconds === null ? '–' : durationText(price.ageSeconds)}
                  {price.stale && price.price !== null && `, ${assets.stale}`}
                </Cell>
                <Cell className="space-y-2">
                  <PriceDeeds price={price} />
                </Cell>
              </tr>
            ))}
          </DataTable>
        </section>
      )}
    </>
  );
}
