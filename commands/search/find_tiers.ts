/**
 * Searches for all words, then for similar wording. Each step tries this project first, then all
 * other projects.
 */
import type { TieredRequest, TieredResult } from "../../lib/library/search/tiers.ts";

interface ScopeSearches {
  findHere(asked: TieredRequest): Promise<TieredResult>;
  /** Searches all other projects. Undefined if flags choose only this project, or all projects. */
  findOthers: ((asked: TieredRequest) => Promise<TieredResult>) | undefined;
}

/** A search result. `is_wide` is true if its hits come from other projects. */
export interface ScopedResult extends TieredResult {
  is_wide: boolean;
}

export async function findTiers(
  request: TieredRequest,
  searches: ScopeSearches,
): Promise<ScopedResult> {
  const { EXACT_TIERS, MOST_NEAREST } = await import("../../lib/library/search/tiers.ts");
  const { tiers, limit } = request;
  const exact = (tiers ?? EXACT_TIERS).filter((tier) => tier !== "wording");
  if (exact.length > 0) {
    const found = await findIn(exact, request, searches, ({ hits }) => hits.length > 0);
    const is_over = found.hits.length > 0 || found.searched_in_time !== undefined;
    if (is_over || tiers !== undefined) return found;
  }
  const most = exact.length > 0 ? Math.min(limit, MOST_NEAREST) : limit;
  const asked = { ...request, limit: most };
  return await findIn(["wording"], asked, searches, ({ strength }) => strength === "strong");
}

async function findIn(
  tiers: NonNullable<TieredRequest["tiers"]>,
  request: TieredRequest,
  { findHere, findOthers }: ScopeSearches,
  isEnough: (result: TieredResult) => boolean,
): Promise<ScopedResult> {
  const asked = { ...request, tiers };
  const here = await findHere(asked);
  const is_over = isEnough(here) || here.searched_in_time !== undefined;
  if (is_over || findOthers === undefined) return { ...here, is_wide: false };
  const wide = await findOthers(asked);
  // Weak matches elsewhere are no better than those of this project.
  const is_better = isEnough(wide) || here.hits.length === 0;
  return is_better ? { ...wide, is_wide: wide.hits.length > 0 } : { ...here, is_wide: false };
}
