/**
 * Parses Aider's announcements: its version, its model, and the usage of an answer. aider 0.86,
 * aider/coders/base_coder.py `get_announcements`, `calculate_and_show_tokens_and_cost`. Counts from
 * 1000 on are rounded: `2.1k`.
 */
import type { TokenUsage } from "../../core/event/payload.ts";
import { present } from "../engine/json.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";

interface PrintedUsage {
  usage?: TokenUsage;
  cost_usd?: number;
}

const VERSION = /^Aider v(\S+)/m;
const MODEL = /^(?:Main model|Models?): (\S+)/m;
const COUNT = "([\\d.,]+[kM]?)";
const TOKENS = new RegExp(
  `^Tokens: ${COUNT} sent,(?: ${COUNT} cache write,)?(?: ${COUNT} cache hit,)? ${COUNT} received\\.` +
    `(?:\\s+Cost: \\$([\\d.]+) message)?`,
  "m",
);

export function printedVersion(text: string): string | undefined {
  return VERSION.exec(text)?.[1];
}

/** Returns the model in an announcement. It applies until the next announcement of a model. */
export function printedModel(text: string): string | undefined {
  return MODEL.exec(text)?.[1]?.replace(/,$/, "");
}

/** Returns the printed tokens and cost of the preceding answer. */
export function printedUsage(text: string): PrintedUsage | undefined {
  const match = TOKENS.exec(text);
  if (match === null) return undefined;
  const [, sent, cacheWrite, cacheHit, received, cost] = match;
  // `sent` is the whole prompt, and what was written to the cache.
  const usage = promptUsage({
    prompt: toCount(sent),
    output: toCount(received),
    cache_read: toCount(cacheHit),
    cache_write: toCount(cacheWrite),
  });
  return present({ usage, cost_usd: cost === undefined ? undefined : Number(cost) });
}

const FACTORS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 };

function toCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const factor = FACTORS[text.at(-1) ?? ""];
  const digits = (factor === undefined ? text : text.slice(0, -1)).replaceAll(",", "");
  const value = Math.round(Number(digits) * (factor ?? 1));
  return Number.isFinite(value) ? value : undefined;
}
