/** Finds what the plans of agents have left, and what each session took of it. */
import type { AgentName } from "../../event/agent_name.ts";
import { type PlanShare, sharesOf } from "../../projection/plan_shares.ts";
import {
  openWindows,
  type PlanRecord,
  type PlanWindow,
  startOf,
} from "../../projection/plan_window.ts";
import { SessionError } from "../../event/session_error.ts";
import type { AgentSession } from "../../source/agent.ts";
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
  /** The time now. @default {the library's} */
  now?: Date | undefined;
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
  { agents, now: given }: PlanOptions = {},
): Promise<PlanWindow[]> {
  const { place } = library;
  const now = (given ?? place.now?.() ?? new Date()).getTime();
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
): Promise<PlanRecord[]> {
  const descriptor = descriptorOf(agent);
  const read = await descriptor.loadPlanLimits?.();
  if (read === undefined) return [];
  let recent: Promise<AgentSession[]> | undefined;
  const findRecent = async (): Promise<AgentSession[]> => {
    const asked = { agents: [agent], since, archived: "any", limit: RECENT } as const;
    return (await library.query(asked)).entries.map(({ session }) => session);
  };
  const found: PlanRecord[] = [];
  for (const place of agentPlaces(descriptor, library.place.environment)) {
    try {
      for (const record of await read(place, () => recent ??= findRecent())) found.push(record);
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

/** Looks at the plans again when so much time passed. */
const LOOK_AGAIN_MS = 60_000;

/** The windows of plans for a screen that is kept up to date: they are looked at once a minute. */
export class PlanWatch {
  readonly #library: Library;
  readonly #options: PlanOptions;
  #windows: PlanWindow[] = [];
  #looked = -Infinity;

  constructor(library: Library, options: PlanOptions = {}) {
    this.#library = library;
    this.#options = options;
  }

  /** Returns the windows that have not ended. */
  async look(): Promise<readonly PlanWindow[]> {
    if (performance.now() - this.#looked >= LOOK_AGAIN_MS) {
      this.#windows = await planWindows(this.#library, this.#options);
      this.#looked = performance.now();
    }
    return this.#windows;
  }
}
