/** Formats messages about the caps of costs. Pure. */
import type { CostSum } from "../../core/projection/cost_sum.ts";
import type { Cap } from "../../core/workspace/caps_file.ts";
import { sanitizeLine } from "./sanitize.ts";
import { formatCost } from "./usage_text.ts";

const WARNS_FROM = 0.8;

/** Compares the cost with the cap. Unknown costs count as 0. */
export function capState({ usd }: Cap, { cost_usd = 0 }: CostSum): "under" | "near" | "above" {
  if (cost_usd > usd) return "above";
  return cost_usd >= WARNS_FROM * usd ? "near" : "under";
}

export function dollars(usd: number): string {
  return `$${Number.isInteger(usd) ? usd : usd.toFixed(2)}`;
}

function costText({ scope, set_at }: Cap, spent: CostSum): string {
  const cost = formatCost(spent);
  if (scope === "session") return `this session has cost ${cost}`;
  if (scope === "day") return `today's sessions together have cost ${cost}`;
  const day = set_at.slice(0, "2026-11-21".length);
  return `this project's sessions together have cost ${cost} since ${day}`;
}

export function nearText(cap: Cap, spent: CostSum): string {
  return `Reprise: ${costText(cap, spent)}, and the cap is ${dollars(cap.usd)}. Above the ` +
    "cap, Reprise stops the agent at its next tool call. To see all caps: reprise cap";
}

export function aboveText(cap: Cap, spent: CostSum): string {
  const higher = dollars(2 * cap.usd).slice(1);
  return `Stopped by Reprise: ${costText(cap, spent)}, more than the cap of ` +
    `${dollars(cap.usd)}. To continue, lift the cap: reprise cap lift --${cap.scope}. ` +
    `Or set a higher cap: reprise cap ${higher} --${cap.scope}`;
}

export function capName({ scope, project = "" }: Cap): string {
  if (scope === "project") return `project ${sanitizeLine(project)}`;
  return scope === "day" ? "all sessions of one day, added up" : "each session";
}
