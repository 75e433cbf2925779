import { describedBy, Field } from '../../../_components/ui/field.tsx';
import { Select } from '../../../_components/ui/select.tsx';
import type { AssetView, NetworkView } from '../../../_trpc/api-types.ts';
import { useWords } from '../../../_words/use-words.ts';
import { onlyNetwork } from './form-rules.ts';

type AssetFieldsProps = {
  assets: AssetView[] | null;
  failed: boolean;
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
  return (
    <div className="grid gap-5 sm:grid-cols-2" aria-busy={assets === null && !props.failed}>
      <Field id="asset" label={form.asset} error={props.assetError ?? (props.failed ? site.couldNotLoad : null)}>
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
