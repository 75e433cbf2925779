import type { Db } from '#server/db/database.ts';
import { type AssetCatalogue, findAssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';

export interface CatalogueCache {
  /** `fresh` reads now: for an answer that would turn somebody away for what a stale copy says. */
  read(input?: { fresh: boolean }): Promise<AssetCatalogue>;
}

/**
 * Five seconds: the accepting statement compares fee and switch with the rows themselves, so an old copy can only refuse
 * too much, and for no longer than this.
 */
const AGE_MAX_MS = 5_000;

/** Keeps the catalogue for a few seconds, because every request needs it and people change it once a month. */
export function createCatalogueCache(deps: { db: Db }): CatalogueCache {
  let kept: { readonly at: number; readonly catalogue: Promise<AssetCatalogue> } | undefined;
  return {
    read: (input) => {
      const now = performance.now();
      if (kept !== undefined && !input?.fresh && now - kept.at < AGE_MAX_MS) return kept.catalogue;
      const reading = { at: now, catalogue: findAssetCatalogue(deps) };
      kept = reading;
      // A failure is for those who waited for it; the next one asks again.
      reading.catalogue.catch(() => {
        if (kept === reading) kept = undefined;
      });
      return reading.catalogue;
    },
  };
}
