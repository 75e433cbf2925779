import type { CustodyAnswerContract } from '#domain/custody-outcome.ts';

/**
 * What the provider's documentation promises about answers that are no success. Every pair that is missing here is in
 * doubt, so a new code of theirs costs a look-up and never a second payment.
 */
export const CUSTODY_ANSWER_CONTRACT: CustodyAnswerContract = {
  finalReasons: [
    { status: 422, code: 'address_rejected' },
    { status: 422, code: 'asset_not_supported' },
    { status: 422, code: 'amount_too_small' },
  ],
  laterReasons: [
    { status: 401, code: 'unauthorized', scope: 'everything' },
    { status: 403, code: 'forbidden', scope: 'everything' },
    { status: 429, code: 'rate_limited', scope: 'everything' },
    { status: 503, code: 'maintenance', scope: 'everything' },
    { status: 422, code: 'insufficient_hot_wallet_funds', scope: 'asset' },
  ],
};
