/**
 * Prices of models, from the table of the package genai-prices. The table comes with the program,
 * and nothing is fetched. Loading it takes about 30 ms, so only code that estimates costs loads it.
 */
import { calcPrice } from "npm:@pydantic/genai-prices@0.1.8";
import type { PricedTokens } from "../projection/priced_tokens.ts";

export const PRICES_AS_OF = "2026-09-23";

/** US dollars per million tokens. Prompts with more than `start` tokens have the tier's price. */
interface Rate {
  base: number;
  tiers: readonly { start: number; price: number }[];
}

interface Rates {
  input: Rate;
  output: Rate;
  cache_read: Rate;
  cache_write: Rate;
  cache_write_1h: Rate;
}

/** Some prices depend on the day or the hour. No price changes within a quarter of an hour. */
const QUARTER_SECONDS = 900;
const MILLION = 1e6;
/** Matches the name of a model's faster service, whose prices the table lacks. */
const FAST = /-fast$/;

const constant = new Map<string, Rates | undefined>();
const changing = new Map<string, Rates | undefined>();

/**
 * Estimates the cost of responses in US dollars. Returns undefined if the table lacks the model.
 *
 * @param seconds Time of the responses, in seconds since 1970.
 */
export function estimatedCost(
  model: string,
  tokens: PricedTokens,
  seconds: number,
): number | undefined {
  const rates = ratesOf(model, seconds);
  if (rates === undefined) return undefined;
  const { input, output, cache_read, cache_write, cache_write_1h, responses = 1 } = tokens;
  const prompt = (input + cache_read + cache_write) / responses;
  return (at(rates.input, prompt) * input + at(rates.output, prompt) * output +
    at(rates.cache_read, prompt) * cache_read +
    at(rates.cache_write, prompt) * (cache_write - cache_write_1h) +
    at(rates.cache_write_1h, prompt) * cache_write_1h) / MILLION;
}

function at({ base, tiers }: Rate, prompt: number): number {
  let price = base;
  for (const tier of tiers) if (prompt > tier.start) price = tier.price;
  return price;
}

function ratesOf(model: string, seconds: number): Rates | undefined {
  if (constant.has(model)) return constant.get(model);
  const quarter = Math.floor(seconds / QUARTER_SECONDS);
  const key = `${quarter} ${model}`;
  if (changing.has(key)) return changing.get(key);
  const [rates, changes] = FAST.test(model)
    ? [undefined, false]
    : lookUp(model, quarter * QUARTER_SECONDS);
  if (changes) changing.set(key, rates);
  else constant.set(model, rates);
  return rates;
}

/** Returns the rates of a model at a time, and whether they change over time. */
function lookUp(model: string, seconds: number): [Rates | undefined, boolean] {
  for (const name of namesOf(model)) {
    const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, name, {
      timestamp: new Date(seconds * 1000),
    });
    if (found === null) continue;
    const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok, cache_write_1h_mtok } =
      found.model_price;
    const input = toRate(input_mtok);
    const output = toRate(output_mtok);
    const changes = Array.isArray(found.model.prices);
    if (input === undefined || output === undefined) return [undefined, changes];
    // For a provider without a price for a cache, the price of the prompt counts.
    const cache_read = toRate(cache_read_mtok) ?? input;
    const cache_write = toRate(cache_write_mtok) ?? input;
    const cache_write_1h = toRate(cache_write_1h_mtok) ?? cache_write;
    return [{ input, output, cache_read, cache_write, cache_write_1h }, changes];
  }
  return [undefined, false];
}

function toRate(
  value: number | { base: number; tiers: Rate["tiers"] } | undefined,
): Rate | undefined {
  return typeof value === "number" ? { base: value, tiers: [] } : value;
}

/** Matches the prefix that a router puts before a model's name. */
const ROUTED = /^(?:[\w-]+\/)+/;
const BEDROCK =
  /^(?:(?:us|eu|apac|global|jp|au)\.)?(?:anthropic|amazon|meta|mistral)\.(.*?)(?:-v\d+:\d+)?$/;

function* namesOf(model: string): Generator<string> {
  yield model;
  const [, named] = BEDROCK.exec(model) ?? [];
  if (named !== undefined) yield named;
  else if (ROUTED.test(model)) yield model.replace(ROUTED, "").replace(/:\w+$/, "");
}
