/** The inputs of a price. */

/** The tokens of one response, as a price is made from them. */
export interface PricedTokens {
  /** The prompt, without what came from a cache or was written to one. */
  input: number;
  /** All that the model made. */
  output: number;
  /** The part of the prompt that came from a cache. */
  cache_read: number;
  /** All that was written to a cache. */
  cache_write: number;
  /** The part of `cache_write` that is kept for an hour. */
  cache_write_1h: number;
}

/**
 * Estimates what a response cost in US dollars; undefined where its model's price is not known. The
 * time is in seconds since 1970.
 */
export type Estimate = (
  model: string,
  tokens: PricedTokens,
  seconds: number,
) => number | undefined;
