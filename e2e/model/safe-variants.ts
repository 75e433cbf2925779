import type { World } from './setting.ts';
import type { Variant } from './variant.ts';

/** A custody with a permanent reference that also keeps its refusals and honours a not-after. */
const GENEROUS: Partial<World> = { notAfterHonoured: true, refusalsKept: true, readLag: true };

/** No permanent reference: everything rests on a not-after that ends inside the key window. */
const NOT_AFTER_ONLY: Partial<World> = { permanentReference: false, notAfterHonoured: true };

/** The protocol as it stands, in worlds that differ. Each is explored to the end, and each state must reach an end. */
export const SAFE_VARIANTS: readonly Variant[] = [
  {
    name: 'plain',
    why: 'one job, a permanent reference, nothing else goes wrong',
    expects: 'safe',
    world: {},
  },
  {
    name: 'two-crashes-three-redeliveries',
    why: 'two workers, a claim that may vanish, Redis flushed, two kills, three deliveries, repeats, events, cancel',
    expects: 'safe',
    world: {
      redisClaim: true,
      redeliveries: 3,
      crashes: 2,
      answersMayBeLost: true,
      connectionsRefused: 1,
      cancel: true,
      repeats: 1,
      webhooks: true,
    },
  },
  {
    name: 'no-redis-claim',
    why: 'the claim carries no guarantee: two kills and three deliveries without one',
    expects: 'safe',
    world: { redeliveries: 3, crashes: 2, answersMayBeLost: true, connectionsRefused: 1, cancel: true, repeats: 1 },
  },
  {
    name: 'acceptance',
    why: 'clicks repeated, lost, given up; a refusal under the key; approval; cancel',
    expects: 'safe',
    world: { acceptance: true, fundsShortAtFirst: true, approval: true, cancel: true, clicks: 2, crashes: 1 },
  },
  {
    name: 'acceptance-without-approval',
    why: 'the same where nobody needs to approve: the accepted row is sent at once',
    expects: 'safe',
    world: { acceptance: true, fundsShortAtFirst: true, cancel: true, clicks: 2, redeliveries: 2 },
  },
  {
    name: 'connection-refused',
    why: '"not sent" leads to queued, where the customer may cancel, only where no attempt can have been sent',
    expects: 'safe',
    world: { connectionsRefused: 2, cancel: true, crashes: 1, redeliveries: 2 },
  },
  {
    name: 'later',
    why: '"later" from a custody whose contract excludes repeats: nothing was made, the row is queued again',
    expects: 'safe',
    world: { laters: 2, contractExcludesRepeats: true, cancel: true, crashes: 1, redeliveries: 2 },
  },
  {
    name: 'later-repeated',
    why: 'without that contract "later" speaks of one copy only, and the row stays in doubt',
    expects: 'safe',
    world: { laters: 1, repeats: 1, cancel: true, crashes: 1, answersMayBeLost: true },
  },
  {
    name: 'refusal-kept',
    why: 'custody validates first and keeps refusals: only the look-up makes one final',
    expects: 'safe',
    world: {
      refusals: 1,
      validatesFirst: true,
      refusalsKept: true,
      repeats: 1,
      duplicatesAnsweredByError: true,
      answersMayBeLost: true,
      crashes: 1,
    },
  },
  {
    name: 'refusal-by-contract',
    why: 'refusals are not kept, but no proxy repeats and duplicates are checked first: the sole attempt may fail',
    expects: 'safe',
    world: {
      refusals: 1,
      contractExcludesRepeats: true,
      redeliveries: 2,
      crashes: 1,
      cancel: true,
      connectionsRefused: 1,
    },
  },
  {
    name: 'refusal-unproved',
    why: 'neither record nor contract nor not-after: people and custody’s signed word end it',
    expects: 'safe',
    world: { refusals: 1, validatesFirst: true, repeats: 1, redeliveries: 2, crashes: 1 },
  },
  {
    name: 'not-after-only',
    why: 'no permanent reference: the not-after inside the key window, proof of absence leads back to queued',
    expects: 'safe',
    world: {
      ...NOT_AFTER_ONLY,
      attemptsMax: 3,
      cancel: true,
      connectionsRefused: 1,
      repeats: 1,
    },
  },
  {
    name: 'not-after-and-lag',
    why: 'as before, with a look-up that lags: absence is proved only after the lag',
    expects: 'safe',
    world: { ...NOT_AFTER_ONLY, readLag: true, crashes: 1, cancel: true, redeliveries: 2, refusals: 1 },
  },
  {
    name: 'webhooks-and-chain',
    why: 'events lost, repeated and out of order; reorg; a failure that is not final; a transfer that dies',
    expects: 'safe',
    world: { settles: true, webhooks: true, failures: 1, stalls: 1, reorgs: 1, answersMayBeLost: true },
  },
  {
    name: 'custody-contradicts-itself',
    why: 'custody pays after its final failure: the row stays failed, a case opens, late is booked once',
    expects: 'safe',
    world: { settles: true, failures: 1, contradictions: 1, reorgs: 1, crashes: 1, redeliveries: 2 },
  },
  {
    name: 'custody-shows-what-it-denied',
    why: 'a transfer that was proved absent appears: the row follows it, a case opens, its customer stops',
    expects: 'safe',
    world: { ...GENEROUS, denials: 1, cancel: true, crashes: 1, redeliveries: 2, webhooks: true },
  },
  {
    name: 'custody-shows-what-it-denied-and-settles',
    why: 'the same to the chain, and where the customer cancelled in good faith: late, with its case',
    expects: 'safe',
    world: { notAfterHonoured: true, denials: 1, cancel: true, settles: true, reorgs: 1 },
  },
  {
    name: 'our-restore-known',
    why: 'our database restored by people who say so: look-up only, every row in doubt, two people end it',
    expects: 'safe',
    world: {
      notAfterHonoured: true,
      databaseRestores: 1,
      restoreIsKnown: true,
      cancel: true,
      crashes: 2,
      redeliveries: 2,
      approval: true,
    },
  },
  {
    name: 'our-restore-found-out',
    why: 'our database restored in silence: the walk over custody’s list finds it before anything may be claimed',
    expects: 'safe',
    world: { databaseRestores: 1, approval: true, connectionsRefused: 1, crashes: 1, settles: true, readLag: true },
  },
  {
    name: 'our-restore-and-cancel',
    why: 'the same where the row needs no approval and the customer wants to cancel',
    expects: 'safe',
    world: { databaseRestores: 1, cancel: true, connectionsRefused: 1, redeliveries: 2, readLag: true },
  },
  {
    name: 'our-restore-without-not-after',
    why: 'the bytes are lost and nothing expires: nothing is resent, custody’s signed word ends it',
    expects: 'safe',
    world: {
      databaseRestores: 1,
      restoreIsKnown: true,
      cancel: true,
      crashes: 1,
      redeliveries: 2,
      answersMayBeLost: true,
    },
  },
  {
    name: 'row-lost-reference-from-key',
    why: 'not even the walk: a reference made from the key alone keeps a lost and repeated request at one transfer',
    expects: 'safe',
    world: { databaseRestores: 1, redeliveries: 2, duplicatesAnsweredByError: true, answersMayBeLost: true },
    rules: { restart: 'no_walk' },
  },
  {
    name: 'custody-restore-quiet',
    why: 'custody restores a backup while nothing is under way: the control look-up is missing, all sending stops',
    expects: 'safe',
    world: { custodyRestores: 1, custodyRestoreWhen: 'nothing_under_way', webhooks: true, redeliveries: 2, crashes: 1 },
  },
  {
    name: 'custody-restore-after-not-after',
    why: 'custody may restore at any moment if its backups are younger than our not-after is long',
    expects: 'safe',
    world: {
      custodyRestores: 1,
      custodyRestoreWhen: 'after_not_after',
      notAfterHonoured: true,
      webhooks: true,
      redeliveries: 2,
      crashes: 1,
    },
  },
  {
    name: 'all-permanent-reference',
    why: 'everything at once: repeats, refusals, events, lag, a kill, our restore, cancel, people',
    expects: 'safe',
    world: {
      ...GENEROUS,
      cancel: true,
      repeats: 1,
      refusals: 1,
      validatesFirst: true,
      crashes: 1,
      webhooks: true,
      databaseRestores: 1,
      restoreIsKnown: true,
    },
  },
  {
    name: 'all-not-after-only',
    why: 'everything at once without a permanent reference',
    expects: 'safe',
    world: {
      ...NOT_AFTER_ONLY,
      answersMayBeLost: true,
      connectionsRefused: 1,
      cancel: true,
      repeats: 1,
      crashes: 1,
      webhooks: true,
    },
  },
];
