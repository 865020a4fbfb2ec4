/** Tells which sessions run now. What processes say is looked up once for all of them. */
import type { AgentName } from "../../event/agent_name.ts";
import type { Summary } from "../../projection/summary_row.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { OpenMarks } from "../../source/agent_descriptor.ts";
import { isKeptCopy } from "../kept/kept_sessions.ts";
import type { LibraryPlace } from "../library_place.ts";
import { loadLocator } from "../locators.ts";

/** Without a mark, a session runs if it changed so lately. */
const QUIET_MS = 60_000;
/** A mark that each session must be asked for is looked for if it changed so lately. */
const ASKED_MS = 24 * 60 * QUIET_MS;

/** The sessions that run at one moment. */
export class LiveSessions {
  readonly #place: LibraryPlace;
  readonly #marks = new Map<AgentName, Promise<OpenMarks>>();

  /** Takes the machine; nothing is looked up yet. */
  constructor(place: LibraryPlace) {
    this.#place = place;
  }

  /** Returns a row with the status that its session has now: `running`, or what its records tell. */
  async withStatus(session: AgentSession, row: Summary): Promise<Summary> {
    if (row.status === "running") return row;
    const runs = await this.#isRunning(session, Date.parse(row.updated_at ?? ""));
    return runs ? { ...row, status: "running" } : row;
  }

  /** True for a session that may run: its row is worth making. `updated` in milliseconds. */
  async mayRun(session: AgentSession, updated: number): Promise<boolean> {
    const { named } = await this.#marksOf(session.agent);
    if (named?.has(session.id)) return true;
    return this.#isWithin(updated, named === undefined ? ASKED_MS : QUIET_MS);
  }

  async #isRunning(session: AgentSession, updated: number): Promise<boolean> {
    const { isOpen } = await this.#marksOf(session.agent);
    const runs = await isOpen(session) ?? this.#isWithin(updated, QUIET_MS);
    return runs && !isKeptCopy(this.#place.root, session.path);
  }

  /** True if a time is within a span before now. A clock of another machine may be a little ahead. */
  #isWithin(updated: number, span: number): boolean {
    const { now = () => new Date() } = this.#place;
    const silent = now().getTime() - updated;
    return silent <= span && silent >= -QUIET_MS;
  }

  #marksOf(agent: AgentName): Promise<OpenMarks> {
    const known = this.#marks.get(agent);
    if (known !== undefined) return known;
    const marks = this.#readMarks(agent);
    this.#marks.set(agent, marks);
    return marks;
  }

  async #readMarks(agent: AgentName): Promise<OpenMarks> {
    const { isActive, openMarks } = await loadLocator(agent);
    if (isActive !== undefined) return { isOpen: isActive };
    return await openMarks?.(this.#place.environment) ??
      { named: new Set(), isOpen: () => undefined };
  }
}
