/**
 * Finds the sessions that run now, whichever agent keeps them, and tells what each is doing.
 *
 * @module
 */
import { type AgentName, REPRISE } from "../../event/agent_name.ts";
import { SessionError } from "../../event/session_error.ts";
import type { TokenUsage } from "../../event/payload.ts";
import { present } from "../../event/present.ts";
import { type Activity, activityOf } from "../../projection/activity.ts";
import {
  type Attention,
  attentionOf,
  byAttention,
  type ToldState,
} from "../../projection/attention.ts";
import type { CostSum } from "../../projection/cost_sum.ts";
import type { Estimate } from "../../projection/priced_tokens.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { UsageTotals } from "../../projection/usage_totals.ts";
import type { Library } from "../library.ts";
import type { SessionEntry } from "../query.ts";
import { descriptorOf } from "../registry.ts";
import type { SessionHandle } from "../session_handle.ts";
import { LiveSessions } from "./live_sessions.ts";

/** A session that runs now. */
export interface RunningSession {
  /** The session's row in a list. */
  row: Summary;
  /** The work that it does now. */
  activity: Activity;
  /** The need for its user, and the reason. */
  attention: Attention;
  /** Tokens of all its threads; a count that never occurs is absent. */
  usage: TokenUsage;
  /** The cost of all its threads. */
  cost: CostSum;
}

/** The sessions to look for. */
export interface RunningOptions {
  /** Only those of these agents. @default {all} */
  agents?: readonly AgentName[] | undefined;
  /** Only those of these real directories, and of what is below them. @default {all} */
  directories?: readonly string[] | undefined;
  /** Only those that wait for their user. @default {false} */
  waiting?: boolean | undefined;
  /** Called when a session begins to wait, once until it goes on. @default {nothing is done} */
  onWait?: ((session: RunningSession) => void) | undefined;
  /** Estimates the cost of responses that recorded none. @default {nothing is estimated} */
  estimate?: Estimate;
}

/** Messages of the end that tell what a session is doing. */
const LAST_MESSAGES = 4;

type Seen = Omit<RunningSession, "row" | "attention"> & { state: string };

/**
 * Looks for running sessions, again and again. A session that did not change is not read again.
 *
 * A session of Reprise runs while a process holds its lock. Other agents may leave a pid file or a
 * lock, which tells. Without that, a session runs if it changed in the last minute, and on Linux while
 * its agent's process runs in its directory.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary, RunningSessions } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.deepEqual(await new RunningSessions(library).look(), []);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class RunningSessions {
  readonly #library: Library;
  readonly #options: RunningOptions;
  #seen = new Map<string, Seen>();
  /** Sessions that waited at the last look. */
  #told: ReadonlySet<string> = new Set();

  /**
   * Takes a library; nothing is read yet.
   *
   * @param library The sessions of this machine. @param options Which of them to look for.
   */
  constructor(library: Library, options: RunningOptions = {}) {
    this.#library = library;
    this.#options = options;
  }

  /**
   * Returns the sessions that run now. Those that wait for their user come first, then failed, working
   * and quiet ones. Of each kind the newest change comes first.
   *
   * @throws {SessionError} `invalid-config`
   */
  async look(): Promise<RunningSession[]> {
    const { agents, directories, waiting = false } = this.#options;
    const { entries } = await this.#library.query({ running: true, agents, directories });
    const running: RunningSession[] = [];
    const seen = new Map<string, Seen>();
    const live = new LiveSessions(this.#library.place);
    for (const entry of entries) {
      const row = await entry.row();
      const one = row && await this.#lookAt(entry, row);
      if (row === undefined || one === undefined) continue;
      seen.set(entry.ref, one);
      const { state: _, ...found } = one;
      const told = await live.toldOf(entry.session);
      running.push({ row, ...found, attention: this.#attentionOf(row, found.activity, told) });
    }
    this.#seen = seen;
    this.#tellWaits(running);
    return running.filter(({ attention }) => !waiting || attention.state === "waits")
      .sort((one, other) => byAttention(one.attention, other.attention));
  }

  #tellWaits(running: readonly RunningSession[]): void {
    const waits = running.filter(({ attention }) => attention.state === "waits");
    const told = this.#told;
    this.#told = new Set(waits.map(({ row }) => row.ref));
    for (const one of waits) if (!told.has(one.row.ref)) this.#options.onWait?.(one);
  }

  #attentionOf(row: Summary, activity: Activity, told: ToldState | undefined): Attention {
    const { now = () => new Date() } = this.#library.place;
    const { asks, tells_ended_calls } = descriptorOf(row.agent as AgentName);
    return attentionOf(activity, {
      ...{ told, asks, tells_ended_calls },
      tells_begin: row.agent === REPRISE,
      silent_ms: now().getTime() - Date.parse(row.updated_at ?? ""),
    });
  }

  /** Returns the activity of a session; undefined if it cannot be read, or has no message. */
  async #lookAt(entry: SessionEntry, row: Summary): Promise<Seen | undefined> {
    const state = `${row.path} ${row.updated_at} ${row.bytes} ${row.status}`;
    const before = this.#seen.get(row.ref);
    if (before?.state === state) return before;
    try {
      const handle = await entry.open();
      const activity = activityOf(await handle.tail(LAST_MESSAGES), {
        tells_begin: row.agent === REPRISE,
        ends_open_calls: descriptorOf(row.agent as AgentName).ends_open_calls,
      });
      if (activity === undefined) return undefined;
      return { state, activity, ...await this.#totalsOf(handle) };
    } catch (error) {
      // The agent may be replacing the file; the next look will show it.
      if (error instanceof SessionError) return before;
      throw error;
    }
  }

  async #totalsOf(handle: SessionHandle): Promise<Pick<RunningSession, "usage" | "cost">> {
    const { estimate } = this.#options;
    const totals = new UsageTotals("session");
    const rows = await handle.usage(estimate === undefined ? {} : { estimate });
    totals.add({ ref: handle.ref, agent: handle.agent, rows });
    const { usage, cost_usd, cost_estimated, unknown_models } = totals.total();
    return {
      usage,
      cost: present({ cost_usd, cost_estimated, unknown_models }),
    };
  }
}
