/** Finds what the plans of agents have left, and what each session took of it. */
import type { AgentName } from "../../../core/event/agent_name.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import {
  openWindows,
  type PlanRecord,
  type PlanShare,
  type PlanWindow,
  sharesOf,
  startOf,
} from "../../../core/projection/plan_window.ts";
import type { AgentSession } from "../../../agents/contract/agent.ts";
import { agentPlaces } from "../../../agents/contract/agent_roots.ts";
import type { Library } from "../../library.ts";
import { chosenAgents } from "../../catalogue/library_place.ts";
import { tracedAgents } from "../../machine/locators.ts";
import { descriptorOf } from "../../machine/registry.ts";
import { usageOf } from "../../query/usage_of.ts";
import { keptLimits } from "./kept_limits.ts";

/** Number of sessions to look at: those that changed last, one of which has the newest limits. */
const RECENT = 8;
/** Milliseconds of the past to look at. No plan has a window longer than a month. */
const LOOK_BACK_MS = 31 * 24 * 3_600_000;
const TITLED = 5;

export interface PlanOptions {
  /** @default {all} */
  agents?: readonly AgentName[] | undefined;
  /** @default {the library's} */
  now?: Date | undefined;
}

/** A usage window of a plan, with each session's share. Only the largest shares have titles. */
export type SharedWindow = PlanWindow & { sessions: (PlanShare & { title?: string })[] };

/**
 * Finds the plan windows that have not ended, with the newest use that agents recorded.
 *
 * @throws {SessionError} `invalid-config`
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
  const asked = { agents: [agent], since, archived: "any", limit: RECENT } as const;
  let recent: Promise<AgentSession[]> | undefined;
  const findRecent = (): Promise<AgentSession[]> =>
    recent ??= library.query(asked).then(({ entries }) => entries.map(({ session }) => session));
  const found: PlanRecord[] = [];
  for (const place of agentPlaces(descriptor, library.place.environment)) {
    try {
      for (const record of await read(place, findRecent)) found.push(record);
    } catch (error) {
      // A session that was deleted since tells nothing.
      if (!(error instanceof SessionError)) throw error;
    }
  }
  return found;
}

export async function sharedWindows(
  library: Library,
  options: PlanOptions = {},
): Promise<SharedWindow[]> {
  const shared: SharedWindow[] = [];
  const groups = Map.groupBy(await planWindows(library, options), ({ agent }) => agent);
  for (const [agent, windows] of groups) {
    const start = windows.map(startOf).reduce((first, one) => Math.min(first, one));
    const asked = { agents: [agent], since: new Date(start), archived: "any" } as const;
    const { entries } = await library.query(asked);
    const used = await usageOf(entries, {
      ...{ kept: library.kept, step_seconds: 60 },
      dayOf: (milliseconds) => new Date(milliseconds).toISOString(),
    });
    for (const window of windows) {
      const sessions: SharedWindow["sessions"] = sharesOf(window, used);
      for (const share of sessions.slice(0, TITLED)) {
        const row = await entries.find(({ ref }) => ref === share.ref)?.row();
        if (row?.title !== undefined) share.title = row.title;
      }
      shared.push({ ...window, sessions });
    }
  }
  return shared;
}
