/**
 * Parses prices that a user adds to the price table. The file holds a JSON object that maps the
 * names of models to their prices.
 */
import { isObject } from "../event/guard.ts";
import { SessionError } from "../event/session_error.ts";
import type { PricedTokens } from "../projection/priced_tokens.ts";

/** Prices in dollars per million tokens. */
export interface OwnPrice {
  input: number;
  output: number;
  /** Price of tokens read from a cache. @default {the price of `input`} */
  cache_read?: number;
  /** Price of tokens written to a cache for five minutes. @default {the price of `input`} */
  cache_write?: number;
  /** Price of tokens written to a cache for an hour. @default {the price of `cache_write`} */
  cache_write_1h?: number;
}

const NEEDED = ["input", "output"];
const FIELDS = new Set([...NEEDED, "cache_read", "cache_write", "cache_write_1h"]);
const MILLION = 1e6;

/**
 * Parses the prices in a file.
 *
 * @throws {SessionError} `invalid-config` that names the model and the field that is wrong.
 */
export function parseOwnPrices(text: string, path: string): ReadonlyMap<string, OwnPrice> {
  const invalid = (reason: string): SessionError =>
    new SessionError("invalid-config", `Cannot read prices: ${reason}: ${path}`, { path });
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch {
    throw invalid("the file is not valid JSON");
  }
  if (!isObject(rows)) {
    throw invalid("the file must contain one JSON object whose keys are names of models");
  }
  for (const [model, row] of Object.entries(rows)) {
    const name = JSON.stringify(model);
    if (!isObject(row)) {
      throw invalid(`${name} must be an object with the fields "input" and "output"`);
    }
    for (const field of new Set([...NEEDED, ...Object.keys(row)])) {
      if (!FIELDS.has(field)) {
        throw invalid(`${name} has an unknown field ${JSON.stringify(field)}`);
      }
      const price = row[field];
      if (typeof price === "number" && price >= 0 && Number.isFinite(price)) continue;
      throw invalid(`${name} needs ${field}, a price in dollars per million tokens (0 or more)`);
    }
  }
  return new Map(Object.entries(rows as Record<string, OwnPrice>));
}

export function ownCost(price: OwnPrice, tokens: PricedTokens): number {
  const { input, output, cache_read = input, cache_write = input } = price;
  const { cache_write_1h = cache_write } = price;
  return (tokens.input * input + tokens.output * output + tokens.cache_read * cache_read +
    (tokens.cache_write - tokens.cache_write_1h) * cache_write +
    tokens.cache_write_1h * cache_write_1h) / MILLION;
}
