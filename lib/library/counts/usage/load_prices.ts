/** The table of prices, which is loaded when a cost is estimated. */
import type { SessionError } from "../../../core/event/session_error.ts";
import { readShortText, SETTINGS_BYTES } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { environmentVariable } from "../../../core/platform/process.ts";
import { operatingSystem } from "../../../core/platform/runtime.ts";
import type { OwnPrice } from "../../../core/pricing/own_prices.ts";
import { readConfig } from "../../../core/workspace/config_file.ts";
import { dataRoot } from "../../../core/workspace/data_root.ts";
import type { Estimate } from "../../../core/projection/priced_tokens.ts";

/** The prices of models on a certain day. */
export interface Prices {
  /** The day on which the price table was released, such as `2026-09-23`. */
  as_of: string;
  /** Estimates a response's cost in US dollars. Undefined if the model's price is not known. */
  estimate: Estimate;
}

/** The source of the user's own prices, and a handler of errors in them. */
export interface LoadPricesOptions {
  /** The data root with the settings to use. Undefined to use none. @default {the environment's} */
  root?: string | undefined;
  /** Called if the prices in the settings are wrong and therefore left out. @default {nothing} */
  onError?: (error: SessionError) => void;
}

/**
 * Loads the table of prices that comes with the program, and the prices that the setting
 * `prices.file` adds. Nothing is fetched.
 *
 * @param options The data root whose settings count, and the handler of errors.
 * @returns The estimate, and the table's day.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { loadPrices } from "@reprise/reprise/library";
 *
 * const { estimate } = await loadPrices({ root: undefined });
 * const tokens = { input: 1000, output: 0, cache_read: 0, cache_write: 0, cache_write_1h: 0 };
 * assert.equal(estimate("claude-sonnet-4-5", tokens, 1_763_000_000), 0.003);
 * assert.equal(estimate("no-such-model", tokens, 1_763_000_000), undefined);
 * ```
 */
export async function loadPrices(options: LoadPricesOptions = {}): Promise<Prices> {
  const { estimatedCost, PRICES_AS_OF } = await import("../../../core/pricing/price_table.ts");
  const { onError = () => {} } = options;
  const root = "root" in options
    ? options.root
    : dataRoot(environmentVariable, operatingSystem === "windows");
  const own = root === undefined ? undefined : await addedPrices(root, onError);
  if (own === undefined) return { as_of: PRICES_AS_OF, estimate: estimatedCost };
  const { ownCost } = await import("../../../core/pricing/own_prices.ts");
  const estimate: Estimate = (model, tokens, seconds) => {
    const price = own.get(model);
    return price === undefined ? estimatedCost(model, tokens, seconds) : ownCost(price, tokens);
  };
  return { as_of: PRICES_AS_OF, estimate };
}

async function addedPrices(
  root: string,
  onError: (error: SessionError) => void,
): Promise<ReadonlyMap<string, OwnPrice> | undefined> {
  try {
    const path = readConfig(root)["prices.file"];
    return path === undefined ? undefined : await readOwnPrices(path);
  } catch (error) {
    onError(error as SessionError);
    return undefined;
  }
}

/**
 * Checks a file of prices before the setting `prices.file` names it.
 *
 * @param path The file, with dollars for a million tokens by model.
 * @throws {SessionError} `invalid-config` that names the fault, `not-found`, `permission`, `io`,
 * `unsupported-source`
 */
export async function assertPrices(path: string): Promise<void> {
  await readOwnPrices(path);
}

async function readOwnPrices(path: string): Promise<ReadonlyMap<string, OwnPrice>> {
  const { parseOwnPrices } = await import("../../../core/pricing/own_prices.ts");
  let text: string;
  try {
    text = readShortText(path, SETTINGS_BYTES);
  } catch (error) {
    throw toSessionError(error, "read prices", path);
  }
  return parseOwnPrices(text, path);
}
