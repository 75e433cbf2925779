import { LoadTrouble } from '../../../_components/load-trouble.tsx';
import { describedBy, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import type { AssetView, NetworkView } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';
import { onlyNetwork } from './form-rules.ts';

type AssetFieldsProps = {
  assets: AssetView[] | null;
  /** Why there is no list of assets; null while there is nothing to complain about. */
  trouble: unknown;
  onRetry: () => void;
  asset: AssetView | null;
  network: NetworkView | null;
  assetError: string | null;
  networkError: string | null;
  onAsset: (assetId: string) => void;
  onNetwork: (networkId: string) => void;
};

/** Asset, then network. Where an asset has several networks, none is chosen for the person. */
export function AssetFields(props: AssetFieldsProps) {
  const { form, site } = useWords();
  const { assets, asset, network } = props;
  const only = onlyNetwork(asset);
  const hint =
    asset === null ? form.networkFirst : only ? form.networkOnly(asset.assetId, only.name) : form.networkHint;
  if (assets === null && props.trouble !== null) {
    return <LoadTrouble error={props.trouble} onRetry={props.onRetry} className="text-sm" />;
  }
  return (
    <div className="grid gap-5 sm:grid-cols-2" aria-busy={assets === null}>
      <Field id="asset" label={form.asset} error={props.assetError}>
        <Select
          id="asset"
          value={asset?.assetId ?? ''}
          onChange={(event) => props.onAsset(event.target.value)}
          aria-invalid={props.assetError !== null}
          aria-describedby={describedBy('asset', { error: props.assetError !== null })}
        >
          <option value="" disabled>
            {assets === null ? `${site.loading}…` : form.chooseAsset}
          </option>
          {assets?.map(({ assetId, name }) => (
            <option key={assetId} value={assetId}>
              {assetId} · {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field id="network" label={form.network} error={props.networkError} hint={hint}>
        <Select
          id="network"
          value={network?.networkId ?? ''}
          onChange={(event) => props.onNetwork(event.target.value)}
          aria-invalid={props.networkError !== null}
          aria-describedby={describedBy('network', { hint: true, error: props.networkError !== null })}
        >
          <option value="" disabled>
            {form.chooseNetwork}
          </option>
          {asset?.networks.map(({ networkId, name, enabled }) => (
            <option key={networkId} value={networkId} disabled={!enabled}>
              {enabled ? name : form.networkOff(name)}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
