/** The inputs of a price estimate: token counts, and the prompt sizes at which prices change. */

/**
 * Prompt sizes, in tokens, above which the price of some model changes. Responses whose prompts lie
 * between two neighboring sizes can be priced together.
 */
export const PROMPT_STEPS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000];

/** The tokens of responses, split by price. */
export interface PricedTokens {
  /** Tokens of the prompt that were neither read from a cache nor written to one. */
  input: number;
  /** Tokens that the model made. */
  output: number;
  /** Tokens of the prompt that were read from a cache. */
  cache_read: number;
  /** Tokens that were written to a cache. */
  cache_write: number;
  /** The part of `cache_write` that is kept for an hour. */
  cache_write_1h: number;
  /**
   * Number of responses that the tokens belong to. The sizes of their prompts lie between two
   * neighboring values of {@linkcode PROMPT_STEPS}. @default {1}
   */
  responses?: number;
}

/**
 * Returns the estimated cost of responses in US dollars; undefined if the model's price is not
 * known. `seconds` is a time since 1970.
 */
export type Estimate = (
  model: string,
  tokens: PricedTokens,
  seconds: number,
) => number | undefined;
