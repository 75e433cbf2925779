import { findAsset } from '#domain/asset.ts';
import { type Refusal, refuse } from '#domain/refusal.ts';
import { REFERENCE_CURRENCY, REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import {
  assetCapsSchema,
  customerTierSchema,
  networkTermsSchema,
  newPairSchema,
  pairTermsSchema,
  priceSchema,
  tierSchema,
} from '#server/api/money-schemas.ts';
import { readPairTerms, readTierLimits } from '#server/api/read-terms.ts';
import { readWireAmount } from '#server/api/read-wire-amount.ts';
import { RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { confirmWith } from '#server/auth/confirm-deed.ts';
import { addPair } from '#server/limits/add-pair.ts';
import { changeAsset } from '#server/limits/change-asset.ts';
import { changeNetwork } from '#server/limits/change-network.ts';
import { changePair } from '#server/limits/change-pair.ts';
import { findPairTerms } from '#server/limits/find-pair-terms.ts';
import { findTiers } from '#server/limits/find-tiers.ts';
import { setCustomerTier } from '#server/limits/set-customer-tier.ts';
import { setTier } from '#server/limits/set-tier.ts';
import { findPrices } from '#server/prices/find-prices.ts';
import { setPrice } from '#server/prices/set-price.ts';

/** What withdrawals cost and how much may be withdrawn. Every change is in the audit. */
export const termsRouter = router({
  show: staffProcedure.query(async ({ ctx }) => ({
    referenceCurrency: REFERENCE_CURRENCY,
    tiers: await findTiers(ctx.tools),
    prices: await findPrices(ctx.tools),
    pairs: await findPairTerms(ctx.tools),
  })),

  setTier: operatorProcedure.input(tierSchema).mutation(async ({ ctx, input }) => {
    const { stepUp, ...terms } = input;
    const { userId } = ctx.session;
    const deed = { limits: readTierLimits(terms), actorId: userId, confirm: confirmWith(ctx.site, { userId, stepUp }) };
    return done(await setTier(ctx.tools, deed));
  }),

  setCustomerTier: operatorProcedure.input(customerTierSchema).mutation(async ({ ctx, input }) => {
    const { stepUp, ...terms } = input;
    const { userId } = ctx.session;
    const confirm = confirmWith(ctx.site, { userId, stepUp });
    return done(await setCustomerTier(ctx.tools, { ...terms, actorId: userId, confirm }));
  }),

  setPrice: operatorProcedure.input(priceSchema).mutation(async ({ ctx, input }) => {
    const referenceMinorPerUnit = readWireAmount(input.price, REFERENCE_DECIMALS, 'price');
    if (referenceMinorPerUnit === 0n) throw new RefusalError(refuse('amount_not_positive', { fields: ['price'] }));
    const deed = { assetId: input.asset, referenceMinorPerUnit, actorId: ctx.session.userId };
    const answer = await setPrice(ctx.tools, deed);
    if (answer.kind === 'unknown_asset') throw new RefusalError(refuse('asset_unknown', { fields: ['asset'] }));
    return answer;
  }),

  changePair: operatorProcedure.input(pairTermsSchema).mutation(async ({ ctx, input }) => {
    const { stepUp, ...asked } = input;
    const { userId } = ctx.session;
    const terms = readPairTerms(asked, await ctx.tools.catalogue.read());
    const confirm = confirmWith(ctx.site, { userId, stepUp });
    return done(await changePair(ctx.tools, { terms, actorId: userId, confirm }));
  }),

  changeNetwork: operatorProcedure.input(networkTermsSchema).mutation(async ({ ctx, input }) => {
    const { network: networkId, ...terms } = input;
    return present(await changeNetwork(ctx.tools, { terms: { networkId, ...terms }, actorId: ctx.session.userId }));
  }),

  changeAsset: operatorProcedure.input(assetCapsSchema).mutation(async ({ ctx, input }) => {
    const asset = findAsset((await ctx.tools.catalogue.read()).assets, input.asset);
    if (asset === null) throw new RefusalError(refuse('asset_unknown', { fields: ['asset'] }));
    const read = (text: string | null, field: string) => {
      const minor = text === null ? null : readWireAmount(text, asset.decimals, field);
      if (minor === 0n) throw new RefusalError(refuse('amount_not_positive', { fields: [field] }));
      return minor;
    };
    const caps = {
      assetId: asset.id,
      cap24hMinor: read(input.cap24h, 'cap24h'),
      atRiskMaxMinor: read(input.atRiskMax, 'atRiskMax'),
    };
    return present(await changeAsset(ctx.tools, { caps, actorId: ctx.session.userId }));
  }),

  addPair: operatorProcedure.input(newPairSchema).mutation(async ({ ctx, input }) => {
    const pair = {
      assetId: input.asset,
      assetName: input.name,
      decimals: input.decimals,
      networkId: input.network,
      contract: input.contract,
      minimumMinor: readWireAmount(input.minimum, input.decimals, 'minimum'),
      feeMinor: readWireAmount(input.fee, input.decimals, 'fee'),
      memoRule: input.memoRule,
    };
    if (pair.minimumMinor === 0n) throw new RefusalError(refuse('amount_not_positive', { fields: ['minimum'] }));
    const answer = await addPair(ctx.tools, { pair, actorId: ctx.session.userId });
    if (answer.kind === 'refused') throw new RefusalError(answer.refusal);
    return answer;
  }),
});

function done<Kind extends string>(answer: { kind: Kind } | { kind: 'refused'; refusal: Refusal }): { kind: Kind } {
  if ('refusal' in answer) throw new RefusalError(answer.refusal);
  return answer;
}

function present<Kind extends string>(answer: { kind: Kind | 'absent' }): { kind: Kind } {
  const { kind } = answer;
  if (kind === 'absent') throw new RefusalError(refuse('not_found'));
  return { kind };
}
