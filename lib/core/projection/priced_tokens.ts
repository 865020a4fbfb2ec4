/** The inputs of a price. */

/**
 * Sizes of a prompt beyond which a response has another price, of whatever model. Responses between
 * two of them can be priced together.
 */
export const PROMPT_STEPS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000];

/** The tokens of responses, as a price is made from them. */
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
  /**
   * Number of responses whose tokens these are. Their prompts lie between the same two
   * {@linkcode PROMPT_STEPS}. @default {1}
   */
  responses?: number;
}

/**
 * Estimates what responses cost in US dollars; undefined where its model's price is not known. The
 * time is in seconds since 1970.
 */
export type Estimate = (
  model: string,
  tokens: PricedTokens,
  seconds: number,
) => number | undefined;
