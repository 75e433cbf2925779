import type { ReactNode } from 'react';
import { AddressText } from '../../../_components/address-text.tsx';
import { CopyButton } from '../../../_components/copy-button.tsx';
import { Notice } from '../../../_components/ui/notice.tsx';
import type { DepositAddressView, NetworkView } from '../../../_trpc/api-types.ts';
import { useAccountWords } from '../../../_words/use-account-words.ts';
import { AddressPicture } from './address-picture.tsx';

type DepositAddressProps = {
  asset: string;
  network: NetworkView;
  /** Null where we have none on this network. */
  address: DepositAddressView | null;
  isDemo: boolean;
};

/** One address, to be copied or scanned, with its tag and with what will not work. */
export function DepositAddress({ asset, network, address, isDemo }: DepositAddressProps) {
  const { deposits: words } = useAccountWords();
  if (address === null) {
    return (
      <Notice tone="warn" title={words.none(network.name)}>
        <p>{words.noneMore}</p>
      </Notice>
    );
  }
  return (
    <div className="space-y-4 border-line border-t pt-5">
      <ReadOrNot network={network} isWatched={address.watched} isDemo={isDemo} />
      <div className="grid gap-5 sm:grid-cols-[auto_minmax(0,1fr)] sm:items-start">
        <AddressPicture text={address.address} alt={words.picture(network.name)} />
        <dl className="min-w-0 space-y-4">
          <Copied name={words.address(asset, network.name)} text={address.address} what={words.addressWhat}>
            <AddressText value={address.address} className="text-base leading-7" data-testid="deposit-address" />
          </Copied>
          {address.memo !== null && (
            <Copied name={words.memo} text={address.memo} what={words.memoWhat} more={words.memoNeeded}>
              <span className="font-mono text-lg" data-testid="deposit-memo">
                {address.memo}
              </span>
            </Copied>
          )}
          {address.watched && (
            <div>
              <dt className="sr-only">{words.credited}</dt>
              <dd className="text-muted text-sm">{words.confirmations(address.confirmationsRequired)}</dd>
            </div>
          )}
        </dl>
      </div>
    </div>
  );
}

type CopiedProps = { name: string; text: string; what: string; more?: string; children: ReactNode };

/** Who reads this network's blocks, and what its coins are worth where they are a demo's. */
function ReadOrNot({ network, isWatched, isDemo }: { network: NetworkView; isWatched: boolean; isDemo: boolean }) {
  const { deposits: words } = useAccountWords();
  if (!isWatched) {
    return (
      <Notice tone="warn" title={words.simulated(network.name)}>
        <p>{words.simulatedMore}</p>
      </Notice>
    );
  }
  if (!isDemo) return null;
  const isReal = network.family === 'evm';
  return (
    <Notice tone="info" title={isReal ? words.watched(network.name) : words.simulated(network.name)}>
      <p>{isReal ? words.watchedMore : words.simulatedWatched}</p>
    </Notice>
  );
}

function Copied({ name, text, what, more, children }: CopiedProps) {
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="flex items-start gap-2 font-medium">
        <span className="min-w-0">{children}</span>
        <CopyButton text={text} what={what} />
      </dd>
      {more !== undefined && <dd className="text-sm">{more}</dd>}
    </div>
  );
}
