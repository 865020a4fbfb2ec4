/**
 * Finds the running sessions of all agents, and tells what each session is doing.
 *
 * @module
 */
import { type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import { present } from "../../core/event/present.ts";
import { type Activity, activityOf } from "../../core/projection/activity.ts";
import {
  type Attention,
  attentionOf,
  byAttention,
  type ToldState,
} from "../../core/projection/attention.ts";
import type { CostSum } from "../../core/projection/cost_sum.ts";
import type { Estimate } from "../../core/projection/priced_tokens.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { UsageTotals } from "../../core/projection/usage_totals.ts";
import { pause } from "../../core/platform/pause.ts";
import type { Library } from "../library.ts";
import type { SessionEntry } from "../query/query.ts";
import { descriptorOf } from "../machine/registry.ts";
import type { SessionHandle } from "../handle/session_handle.ts";
import { LiveSessions } from "../handle/live_sessions.ts";
import { RunningChanges } from "./running_changes.ts";

/** A running session, with its present work, its need for the user, and its cost so far. */
export interface RunningSession {
  /** The session's row in a list. */
  row: Summary;
  /** The work that the session does now. */
  activity: Activity;
  /** The session's need for its user, such as a permission, and the reason. */
  attention: Attention;
  /** The tokens of all threads by kind; a count that never occurs is absent. */
  usage: TokenUsage;
  /** The cost of all threads of the session. */
  cost: CostSum;
}

/** Options of {@linkcode RunningSessions}: the sessions to search, and functions to call. */
export interface RunningOptions {
  /** The agents whose sessions are wanted. @default {all} */
  agents?: readonly AgentName[] | undefined;
  /** Real paths of the directories in or below which sessions are wanted. @default {all} */
  directories?: readonly string[] | undefined;
  /**
   * The entries among which running sessions are looked for. @default {all entries of the library}
   */
  entries?: readonly SessionEntry[] | undefined;
  /** True to find only sessions that wait for their user. @default {false} */
  waiting?: boolean | undefined;
  /** Called once each time a session begins to wait for its user. @default {nothing is done} */
  onWait?: ((session: RunningSession) => void) | undefined;
  /** Estimates the cost of responses without a recorded cost. @default {nothing is estimated} */
  estimate?: Estimate;
}

/** Milliseconds between two checks of the sessions. A change is shown within two seconds. */
const LOOK_MS = 1500;
/** Minimum pause after a look at the sessions, as a multiple of the time that the look took. */
const SHARE = 4;
/**
 * Maximum milliseconds between two checks of all sessions. A silent session may have begun to wait,
 * and reports of changes may be lost.
 */
const IDLE_MS = 10_000;
/** Number of a session's last messages that tell what the session is doing. */
const LAST_MESSAGES = 4;

interface Found {
  entry: SessionEntry;
  row: Summary;
  /** The id of the session's process; looked up only while changes are watched. */
  pid: number | undefined;
}

type Seen = Omit<RunningSession, "row" | "attention"> & { state: string };

/**
 * Finds running sessions repeatedly. A session that did not change is not read again.
 *
 * A session of Reprise runs while a process holds its lock. Some agents mark a running session with
 * a pid file or a lock. Without such a mark, a session runs if it changed in the last minute, and
 * on Linux while its agent's process runs in its directory.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary, RunningSessions } from "@reprise/reprise/library";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.deepEqual(await new RunningSessions(library).look(), []);
 * await rm(root, { recursive: true });
 * ```
 */
export class RunningSessions implements Disposable {
  readonly #library: Library;
  readonly #options: RunningOptions;
  #seen = new Map<string, Seen>();
  #found: Found[] = [];
  /** The changes of sessions; undefined before the first call of `next`. */
  #changes: RunningChanges | undefined;
  /** Time of the last check of all sessions, in milliseconds of `performance.now()`. */
  #looked_at = -Infinity;
  #told: ReadonlySet<string> = new Set();

  /**
   * Takes a library; nothing is read yet.
   *
   * @param library The sessions of this machine. @param options The sessions to look for.
   */
  constructor(library: Library, options: RunningOptions = {}) {
    this.#library = library;
    this.#options = options;
  }

  /**
   * Returns the sessions that run now. Sessions that wait for their user come first, then failed,
   * working and quiet sessions. Of each kind, the newest change comes first.
   *
   * @throws {SessionError} `invalid-config`
   */
  async look(): Promise<RunningSession[]> {
    const { waiting = false } = this.#options;
    const running: RunningSession[] = [];
    const seen = new Map<string, Seen>();
    const live = new LiveSessions(this.#library.place);
    this.#found = await this.#find(live);
    for (const { entry, row } of this.#found) {
      const one = await this.#lookAt(entry, row);
      if (one === undefined) continue;
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

  /**
   * Waits until the next look is due: after a change, and at the latest after ten seconds. Resolves
   * early if the signal aborts.
   *
   * @param took The number of milliseconds that the last look took. The pause is at least four
   * times as long.
   */
  async next(took: number, signal: AbortSignal): Promise<void> {
    // What changed before the folders were watched is not known.
    const changes = this.#changes ??= new RunningChanges(
      this.#library.place,
      this.#options.agents,
    );
    const isLate = (): boolean => performance.now() - this.#looked_at >= IDLE_MS;
    do await pause(Math.max(LOOK_MS, SHARE * took), signal); while (
      !signal.aborted && !changes.any && !isLate()
    );
    if (isLate()) changes.doubt();
  }

  /** Returns the id of the process with the session open; undefined if the system hides it. */
  async processOf({ ref, cwd }: Summary): Promise<number | undefined> {
    const found = this.#found.find(({ entry }) => entry.ref === ref);
    return found && await new LiveSessions(this.#library.place).processOf(found.entry.session, cwd);
  }

  /** Stops watching folders. */
  [Symbol.dispose](): void {
    this.#changes?.[Symbol.dispose]();
    this.#changes = undefined;
  }

  /** Finds the running sessions. If it is known which sessions changed, reads only these again. */
  async #find(live: LiveSessions): Promise<Found[]> {
    const { agents, directories, entries: listed } = this.#options;
    const changed = this.#changes?.take();
    if (changed === undefined) this.#looked_at = performance.now();
    const entries = changed === undefined
      ? listed ?? (await this.#library.query({ running: true, agents, directories })).entries
      : this.#found.map(({ entry }) =>
        changed.has(entry.session.id) ? this.#library.entry(entry.session) : entry
      );
    const rows = await Promise.all(entries.map((entry) => entry.row()));
    const found: Found[] = [];
    for (const [index, entry] of entries.entries()) {
      const row = rows[index];
      if (row?.status !== "running" || await live.hasEnded(entry.session)) continue;
      const before = this.#found.find((one) => one.entry.ref === entry.ref);
      const pid = this.#changes &&
        (before?.pid ?? await live.processOf(entry.session, row.cwd));
      found.push({ entry, row, pid });
    }
    this.#changes?.follow(found.map(({ entry: { session }, pid }) => ({ session, pid })));
    return found;
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

  /**
   * Returns undefined if the session has no message. On a read error, returns its last known state.
   */
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
