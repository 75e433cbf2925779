import { refuse } from '#domain/refusal.ts';
import { REFERENCE_CURRENCY } from '#domain/withdrawal-limits.ts';
import { confirmedBy } from '#server/api/confirmed-by.ts';
import {
  assetCapsSchema,
  customerTierSchema,
  networkTermsSchema,
  newPairSchema,
  pairTermsSchema,
  priceIdSchema,
  priceSchema,
  tierSchema,
} from '#server/api/money-schemas.ts';
import { readAssetCaps, readNetworkTerms, readPairTerms, readPrice, readTierLimits } from '#server/api/read-terms.ts';
import { readWireAmount } from '#server/api/read-wire-amount.ts';
import { done, RefusalError } from '#server/api/refusal-to-trpc.ts';
import { operatorProcedure, router, staffProcedure } from '#server/api/trpc.ts';
import { addPair } from '#server/limits/add-pair.ts';
import { changeAsset } from '#server/limits/change-asset.ts';
import { changeNetwork } from '#server/limits/change-network.ts';
import { changePair } from '#server/limits/change-pair.ts';
import { findPairTerms } from '#server/limits/find-pair-terms.ts';
import { findTiers } from '#server/limits/find-tiers.ts';
import { setCustomerTier } from '#server/limits/set-customer-tier.ts';
import { setTier } from '#server/limits/set-tier.ts';
import { confirmPrice } from '#server/prices/confirm-price.ts';
import { findPrices } from '#server/prices/find-prices.ts';
import { proposePrice } from '#server/prices/propose-price.ts';

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
    const deed = { limits: readTierLimits(terms), ...confirmedBy(ctx, stepUp) };
    return done(await setTier(ctx.tools, deed));
  }),

  setCustomerTier: operatorProcedure.input(customerTierSchema).mutation(async ({ ctx, input }) => {
    const { stepUp, ...terms } = input;
    return done(await setCustomerTier(ctx.tools, { ...terms, ...confirmedBy(ctx, stepUp) }));
  }),

  proposePrice: operatorProcedure.input(priceSchema).mutation(async ({ ctx, input }) => {
    const { proposalId } = input;
    return done(await proposePrice(ctx.tools, { proposalId, price: readPrice(input), actorId: ctx.session.userId }));
  }),

  confirmPrice: operatorProcedure.input(priceIdSchema).mutation(async ({ ctx, input }) => {
    const { proposalId, stepUp } = input;
    return done(await confirmPrice(ctx.tools, { proposalId, ...confirmedBy(ctx, stepUp) }));
  }),

  changePair: operatorProcedure.input(pairTermsSchema).mutation(async ({ ctx, input }) => {
    const { stepUp, ...asked } = input;
    const terms = readPairTerms(asked, await ctx.tools.catalogue.read());
    return done(await changePair(ctx.tools, { terms, ...confirmedBy(ctx, stepUp) }));
  }),

  changeNetwork: operatorProcedure.input(networkTermsSchema).mutation(async ({ ctx, input }) => {
    const { stepUp, ...asked } = input;
    return done(await changeNetwork(ctx.tools, { terms: readNetworkTerms(asked), ...confirmedBy(ctx, stepUp) }));
  }),

  changeAsset: operatorProcedure.input(assetCapsSchema).mutation(async ({ ctx, input }) => {
    const { stepUp, ...asked } = input;
    const caps = readAssetCaps(asked, await ctx.tools.catalogue.read());
    return done(await changeAsset(ctx.tools, { caps, ...confirmedBy(ctx, stepUp) }));
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
    return done(await addPair(ctx.tools, { pair, actorId: ctx.session.userId }));
  }),
});
