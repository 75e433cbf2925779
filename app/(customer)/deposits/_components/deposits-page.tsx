'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isFaucetAsset } from '#domain/faucet.ts';
import { AnswerAge } from '../../../_components/answer-age.tsx';
import { LeadHeading } from '../../../_components/lead-heading.tsx';
import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { Skeleton } from '../../../_components/ui/skeleton.tsx';
import { useTRPC } from '../../../_trpc/trpc-provider.tsx';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { DepositAddress } from './deposit-address.tsx';
import { DepositFields } from './deposit-fields.tsx';
import { DepositList } from './deposit-list.tsx';
import { FaucetButton } from './faucet-button.tsx';
import { useDeposits } from './use-deposits.ts';

/** Where to send coins, and what has come. @param props.hasFaucet true in the demo, where coins come out of nothing */
export function DepositsPage({ hasFaucet }: { hasFaucet: boolean }) {
  const { deposits: words } = useAccountWords();
  const trpc = useTRPC();
  const [choice, setChoice] = useState({ assetId: '', networkId: '' });
  const assets = useQuery({ ...trpc.asset.list.queryOptions(), staleTime: 60_000 });
  const addresses = useQuery(trpc.deposit.addresses.queryOptions());
  const deposits = useDeposits();
  const asset = assets.data?.assets.find(({ assetId }) => assetId === choice.assetId) ?? null;
  const [only, another] = asset?.networks ?? [];
  const chosen = asset?.networks.find(({ networkId }) => networkId === choice.networkId);
  const network = chosen ?? (another === undefined ? only : undefined) ?? null;
  const address = addresses.data?.addresses.find(({ networkId }) => networkId === network?.networkId) ?? null;
  const failed = assets.isError || addresses.isError;
  const loaded = assets.data !== undefined && addresses.data !== undefined;
  return (
    <div className="mx-auto max-w-3xl space-y-5">
      <LeadHeading title={words.title} lead={words.lead}>
        <AnswerAge query={deposits.query} />
      </LeadHeading>
      <Card className="space-y-5" aria-labelledby="deposit-choice">
        <h2 id="deposit-choice" className="font-semibold">
          {words.choose}
        </h2>
        {!loaded && !failed && <Skeleton className="h-24 w-full" />}
        {!loaded && failed && (
          <LoadTrouble
            error={assets.error ?? addresses.error}
            onRetry={() => {
              void assets.refetch();
              void addresses.refetch();
            }}
          />
        )}
        {loaded && (
          <DepositFields
            assets={assets.data.assets}
            asset={asset}
            network={network}
            onAsset={(assetId) => setChoice({ assetId, networkId: '' })}
            onNetwork={(networkId) => setChoice({ assetId: choice.assetId, networkId })}
          />
        )}
        {loaded && asset !== null && network !== null && (
          <DepositAddress asset={asset.assetId} network={network} address={address} isDemo={hasFaucet} />
        )}
        {hasFaucet &&
          asset !== null &&
          network !== null &&
          address?.watched === true &&
          isFaucetAsset(asset.assetId) && (
            <FaucetButton
              key={`${asset.assetId} ${network.networkId}`}
              asset={asset.assetId}
              network={network}
              onSent={deposits.expect}
            />
          )}
      </Card>
      <DepositList query={deposits.query} networks={addresses.data?.addresses ?? []} />
    </div>
  );
}
