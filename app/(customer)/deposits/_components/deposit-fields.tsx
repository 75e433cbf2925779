import { describedBy, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import type { AssetView, NetworkView } from '../../../_trpc/api-types.ts';
import { useAccountWords } from '../../../_words/use-account-words.ts';

type DepositFieldsProps = {
  assets: AssetView[];
  asset: AssetView | null;
  network: NetworkView | null;
  onAsset: (assetId: string) => void;
  onNetwork: (networkId: string) => void;
};

/** Asset, then network. Where an asset has several networks, none is chosen for the person. */
export function DepositFields({ assets, asset, network, onAsset, onNetwork }: DepositFieldsProps) {
  const { deposits: words } = useAccountWords();
  const [only, another] = asset?.networks ?? [];
  const hint =
    asset === null
      ? words.networkFirst
      : only !== undefined && another === undefined
        ? words.networkOnly(asset.assetId, only.name)
        : words.networkHint;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <Field id="deposit-asset" label={words.asset}>
        <Select id="deposit-asset" value={asset?.assetId ?? ''} onChange={(event) => onAsset(event.target.value)}>
          <option value="" disabled>
            {words.chooseAsset}
          </option>
          {assets.map(({ assetId, name }) => (
            <option key={assetId} value={assetId}>
              {assetId} · {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field id="deposit-network" label={words.network} hint={hint}>
        <Select
          id="deposit-network"
          value={network?.networkId ?? ''}
          onChange={(event) => onNetwork(event.target.value)}
          aria-describedby={describedBy('deposit-network', { hint: true })}
        >
          <option value="" disabled>
            {words.chooseNetwork}
          </option>
          {asset?.networks.map(({ networkId, name }) => (
            <option key={networkId} value={networkId}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
