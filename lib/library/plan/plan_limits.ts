/** What the plans of agents have left, and what each session took of it. */
import type { AgentName } from "../../event/agent_name.ts";
import { type PlanShare, sharesOf } from "../../projection/plan_shares.ts";
import { openWindows, type PlanWindow, startOf } from "../../projection/plan_window.ts";
import { SessionError } from "../../event/session_error.ts";
import { agentPlaces } from "../../source/agent_roots.ts";
import type { Library } from "../library.ts";
import { chosenAgents } from "../library_place.ts";
import { tracedAgents } from "../locators.ts";
import { descriptorOf } from "../registry.ts";
import { usageOf } from "../usage/usage_of.ts";
import { keptLimits } from "./kept_limits.ts";

/** Sessions that are looked at: the newest limits stand in one of those that changed last. */
const RECENT = 8;
/** No plan has a longer window than a month. */
const LOOK_BACK_MS = 31 * 24 * 3_600_000;

/** Options of {@linkcode planWindows}. */
export interface PlanOptions {
  /** Only plans of these agents. @default {all} */
  agents?: readonly AgentName[] | undefined;
}

/**
 * Finds the windows of plans that have not ended, with the newest use that agents recorded. Agents
 * whose records have no limits have no windows.
 *
 * @param library Whose sessions and data root tell. @param options The agents to ask.
 * @returns The windows by agent and limit, the shortest first.
 * @throws {SessionError} `invalid-config`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary, planWindows } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.deepEqual(await planWindows(library), []);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function planWindows(
  library: Library,
  { agents }: PlanOptions = {},
): Promise<PlanWindow[]> {
  const { place } = library;
  const now = (place.now?.() ?? new Date()).getTime();
  const windows: PlanWindow[] = [];
  for (const agent of tracedAgents(place.environment, chosenAgents(place, agents))) {
    const records = [
      ...place.root === undefined ? [] : keptLimits(place.root, agent),
      ...await recordedLimits(library, agent, new Date(now - LOOK_BACK_MS)),
    ];
    for (const window of openWindows(agent, records, now)) windows.push(window);
  }
  return windows;
}

async function recordedLimits(
  library: Library,
  agent: AgentName,
  since: Date,
): Promise<Parameters<typeof openWindows>[1]> {
  const descriptor = descriptorOf(agent);
  const read = await descriptor.loadPlanLimits?.();
  if (read === undefined) return [];
  const { entries } = await library.query({
    ...{ agents: [agent], since, archived: "any", limit: RECENT },
  });
  const recent = entries.map(({ session }) => session);
  const found = [];
  for (const place of agentPlaces(descriptor, library.place.environment)) {
    try {
      for (const record of await read(place, recent)) found.push(record);
    } catch (error) {
      // A session that was deleted since tells nothing.
      if (!(error instanceof SessionError)) throw error;
    }
  }
  return found;
}

/** Options of {@linkcode planShares}. */
export interface ShareOptions {
  /** Bytes that are read of sessions together. @default {any} */
  most_bytes_read?: number;
}

/**
 * Divides the use of a window among its agent's sessions, by their tokens since it began.
 *
 * @param library All sessions. @param window Of {@linkcode planWindows}.
 * @param options What may be read.
 * @returns The largest share first.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary, planShares } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * const recorded_at = new Date().toISOString();
 * const window = { agent: "reprise", minutes: 300, used_percent: 60, recorded_at };
 * assert.deepEqual(await planShares(library, window), []);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function planShares(
  library: Library,
  window: PlanWindow,
  options: ShareOptions = {},
): Promise<PlanShare[]> {
  const start = startOf(window);
  const { entries } = await library.query({
    ...{ agents: [window.agent as AgentName], since: new Date(start), archived: "any" },
  });
  const used = await usageOf(entries, {
    ...{ kept: library.kept, step_seconds: 60, ...options },
    dayOf: (milliseconds) => new Date(milliseconds).toISOString(),
  });
  return sharesOf(window, used);
}
