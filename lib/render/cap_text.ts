/** Caps of costs, as people read them. Pure. */
import type { CostSum } from "../projection/cost_sum.ts";
import { sanitizeLine } from "./sanitize.ts";
import { formatCost } from "./usage_text.ts";

/** A cap, as far as texts need it. */
interface CapFacts {
  scope: "session" | "day" | "project";
  usd: number;
  set_at: string;
  project?: string;
}

const WARNS_FROM = 0.8;

/** Returns the state of a cost under a cap. Only a known cost counts. */
export function capState({ usd }: CapFacts, { cost_usd = 0 }: CostSum): "under" | "near" | "above" {
  if (cost_usd > usd) return "above";
  return cost_usd >= WARNS_FROM * usd ? "near" : "under";
}

const SUBJECTS = {
  session: "This session has cost",
  day: "All sessions of today have cost",
  project: "The sessions of this project have cost",
} as const;

/** Writes dollars, with cents where there are some. */
export function dollars(usd: number): string {
  return `$${Number.isInteger(usd) ? usd : usd.toFixed(2)}`;
}

/** Warns before a cap: `This session has cost ~$12.40 of its cap of $15. …`. */
export function nearText(cap: CapFacts, spent: CostSum): string {
  return `${SUBJECTS[cap.scope]} ${formatCost(spent)}${since(cap)}, and the cap is ` +
    `${dollars(cap.usd)}. Above it, Reprise stops the agent at its next call. To see all caps: ` +
    "reprise cap";
}

/** Says why the agent was stopped, and what to do. */
export function aboveText(cap: CapFacts, spent: CostSum): string {
  const higher = dollars(2 * cap.usd).slice(1);
  return `Stopped by Reprise: ${
    SUBJECTS[cap.scope].replace(/^./, (first) => first.toLowerCase())
  } ` +
    `${formatCost(spent)}${since(cap)}, more than the cap of ${dollars(cap.usd)}. To go on, lift ` +
    `it: reprise cap lift --${cap.scope}. Or set a higher one: reprise cap ${higher} --${cap.scope}`;
}

function since({ scope, set_at }: CapFacts): string {
  return scope === "project" ? ` since ${set_at.slice(0, "2026-11-21".length)}` : "";
}

/** Names a cap in a list. */
export function capName({ scope, project = "" }: CapFacts): string {
  if (scope === "project") return `project ${sanitizeLine(project)}`;
  return scope === "day" ? "all sessions of a day" : "each session";
}
