/** Finds the running sessions. Facts about processes are looked up once for all sessions. */
import type { AgentName } from "../../core/event/agent_name.ts";
import type { ToldState } from "../../core/projection/attention.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { OpenMarks } from "../../agents/contract/agent_descriptor.ts";
import { type FoundProcess, hasOpen, ProcessTable } from "../../core/platform/process_table.ts";
import { isKeptCopy } from "../machine/kept/kept_sessions.ts";
import type { LibraryPlace } from "../catalogue/library_place.ts";
import { loadLocator } from "../machine/locators.ts";
import { descriptorOf } from "../machine/registry.ts";

/** Milliseconds that a session without pid file and lock counts as running after a change. */
const QUIET_MS = 60_000;
/** Milliseconds that a session may run after a change, if pid files cannot be listed. */
const ASKED_MS = 24 * 60 * QUIET_MS;
/** Tolerance in milliseconds, because the clock may have been set after a process began. */
const CLOCK_STEP_MS = 5000;
/** The result for an agent whose running clients leave no pid files, locks or other marks. */
const NO_MARKS: OpenMarks = { named: new Set(), isOpen: () => undefined };

/** A session that a process in its directory may have open. */
interface Held {
  session: AgentSession;
  updated: number;
  /** Number of the agent's processes in the directory that started before the session's update. */
  processes: number;
}

export class LiveSessions {
  readonly #place: LibraryPlace;
  readonly #marks = new Map<AgentName, Promise<OpenMarks>>();
  #processes: ProcessTable | undefined;
  /** Sessions that processes may have open, by agent and directory. */
  readonly #held = new Map<string, Held[]>();

  constructor(place: LibraryPlace) {
    this.#place = place;
  }

  /** Returns a row with status `running` if the session runs, or with the machine that sent it. */
  async withStatus(session: AgentSession, row: Summary): Promise<Summary> {
    const { machine } = session;
    if (machine !== undefined) return { ...row, machine };
    if (row.status === "running") return row;
    const runs = await this.#isRunning(session, Date.parse(row.updated_at ?? ""));
    return runs ? { ...row, status: "running" } : row;
  }

  /** True if the session may run. If so, its row must be read. `updated` is in milliseconds. */
  async mayRun(session: AgentSession, updated: number, cwd = session.cwd): Promise<boolean> {
    const marks = await this.#marksOf(session.agent);
    const { named } = marks;
    if (named?.has(session.id)) return true;
    if (this.#isWithin(updated, named === undefined ? ASKED_MS : QUIET_MS)) return true;
    const is_told = named !== undefined && marks !== NO_MARKS;
    if (is_told || cwd === undefined || !this.#isWithin(updated, Infinity)) return false;
    return this.#mayBeHeld(session, updated, cwd);
  }

  /** True if an agent's process in `cwd` began before `updated`. Then fills `#held`. */
  #mayBeHeld(session: AgentSession, updated: number, cwd: string): boolean {
    const processes = this.#processesOf(session, cwd)
      .filter(({ began = Infinity }) => began <= updated + CLOCK_STEP_MS).length;
    if (processes === 0) return false;
    const name = `${session.agent}\0${cwd}`;
    const held = [...this.#held.get(name) ?? [], { session, updated, processes }];
    this.#held.set(name, held.sort((one, other) => other.updated - one.updated));
    return true;
  }

  #processesOf(session: AgentSession, cwd: string): readonly FoundProcess[] {
    const { setup, resumeCommand } = descriptorOf(session.agent);
    const program = setup?.program ?? resumeCommand(session)?.argv[0];
    if (program === undefined) return [];
    return (this.#processes ??= new ProcessTable()).running(program, cwd);
  }

  /** Returns the id of the process that has a session open, found by pid file or directory. */
  async processOf(session: AgentSession, cwd: string | undefined): Promise<number | undefined> {
    const told = (await this.#marksOf(session.agent)).processOf?.(session);
    if (told !== undefined || cwd === undefined) return told;
    const found = this.#processesOf(session, cwd);
    // Of several processes in the directory, one has a file with the session's id open.
    const only = found.length === 1 ? found[0] : undefined;
    return (found.find(({ pid }) => hasOpen(pid, session.id)) ?? only)?.pid;
  }

  /** True if a mark, such as a pid file, says that a process has the session open. */
  async isMarked(session: AgentSession): Promise<boolean> {
    return await (await this.#marksOf(session.agent)).isOpen(session) === true;
  }

  /** True if a mark, such as a pid file, says that the session's process has ended. */
  async hasEnded(session: AgentSession): Promise<boolean> {
    return await (await this.#marksOf(session.agent)).isOpen(session) === false;
  }

  /** True if more processes run in the directory than newer sessions: each may hold one session. */
  #isHeld({ agent, id, path }: AgentSession): boolean {
    return [...this.#held.values()].some((held) =>
      held.some(({ session, processes }, at) =>
        at < processes && session.agent === agent && session.id === id && session.path === path
      )
    );
  }

  async #isRunning(session: AgentSession, updated: number): Promise<boolean> {
    const { isOpen } = await this.#marksOf(session.agent);
    const runs = await isOpen(session) ??
      (this.#isWithin(updated, QUIET_MS) || this.#isHeld(session));
    return runs && !isKeptCopy(this.#place.root, session.path);
  }

  /** True if a time is at most `span` ago, or slightly in the future by another machine's clock. */
  #isWithin(updated: number, span: number): boolean {
    const { now = () => new Date() } = this.#place;
    const silent = now().getTime() - updated;
    return silent <= span && silent >= -QUIET_MS;
  }

  /** Returns the state that the agent wrote in the session's lock. Undefined if there is none. */
  async toldOf(session: AgentSession): Promise<ToldState | undefined> {
    return (await this.#marksOf(session.agent)).tells?.(session);
  }

  /** Counts the agent's other sessions that wait for the user. Reads lock files, not sessions. */
  async waitingBeside({ agent, id: own, path }: AgentSession): Promise<number> {
    const { named = [], tells } = await this.#marksOf(agent);
    return [...named]
      .filter((id) => id !== own && tells?.({ agent, id, path })?.state === "waits").length;
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
    return await openMarks?.(this.#place.environment) ?? NO_MARKS;
  }
}
