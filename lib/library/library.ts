/**
 * Every session on this machine, whichever agent keeps it.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import { resolve } from "node:path";
import type { AgentName } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import { type ListOptions, selectSummaries } from "../session/list_sessions.ts";
import { withMarks } from "../session/marks.ts";
import type { Agent, AgentSession } from "../source/agent.ts";
import type { Expiry } from "../source/expiry.ts";
import { parseRef } from "../source/ref.ts";
import { dataRoot } from "../workspace/data_root.ts";
import { isInProject } from "../workspace/project.ts";
import { realDirectory } from "../workspace/real_directory.ts";
import { findById, findInFile, type FoundSession } from "./find_session.ts";
import { chosenAgents, type LibraryPlace, libraryPlace, marksIn } from "./library_place.ts";
import { withoutHeldCopies, withoutHeldSessions } from "./listed_copies.ts";
import { loadAgent } from "./registry.ts";
import { SessionHandle } from "./session_handle.ts";
import { AGENT_NAMES } from "../event/agent_name.ts";

/** Options of {@linkcode openLibrary}. */
export interface LibraryOptions {
  /** The data root of Reprise's own sessions. @default {$REPRISE_HOME, else the user's state folder} */
  root?: string;
  /** Gives an environment variable's value. @default {the process's environment} */
  variable?: (name: string) => string | undefined;
  /** Directory that paths are relative to. @default {the process's} */
  cwd?: string;
}

/** Which sessions to list. */
export interface LibraryListOptions
  extends Pick<ListOptions, "archived" | "exact" | "since" | "title" | "limit"> {
  /** Only those of these agents. @default {all} */
  agents?: readonly AgentName[];
  /** Only those of these real directories, and of what is below them. @default {all} */
  directories?: readonly string[];
  /** Gets what could not be read. @default {nothing} */
  onError?: (error: SessionError) => void;
}

/** A session, and what a list shows of it. */
export interface LibraryEntry {
  /** What opens it. */
  session: AgentSession;
  /** What a list shows of it. */
  row: Summary;
}

/** How to open a session. */
export interface OpenOptions {
  /** Whether a path may lead to a log in which no event is left: to verify or repair it. */
  damaged?: boolean;
  /** Called where a file holds several sessions, with their number: the latest one is taken. */
  onSeveral?: (count: number, taken: string) => void;
}

/** After so many sessions, others of the process get their turn: somebody may be typing. */
const SLICE = 64;

/**
 * All sessions on this machine: to list, to find and to read them. Made by {@linkcode openLibrary}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.deepEqual(await library.list(), []);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export class Library {
  /** Where it looks. */
  readonly place: LibraryPlace;
  readonly #cwd: string;

  /**
   * Takes the place as it is given: {@linkcode openLibrary} finds the usual one.
   *
   * @param place Where to look. @param cwd Directory that paths are relative to.
   */
  constructor(place: LibraryPlace, cwd: string) {
    this.place = place;
    this.#cwd = cwd;
  }

  /**
   * The data root of Reprise's own sessions.
   *
   * @throws {SessionError} `invalid-config` when nothing says where it is.
   */
  get root(): string {
    const { root } = this.place;
    if (root !== undefined) return root;
    const message = "Cannot tell where sessions are kept: set REPRISE_HOME";
    throw new SessionError("invalid-config", message);
  }

  /** Loads the readers of some agents, or of all. */
  async agents(names?: readonly AgentName[]): Promise<Agent[]> {
    return await Promise.all(chosenAgents(this.place, names).map(loadAgent));
  }

  /**
   * Finds sessions without reading them. Of a copy and its original, where one holds the other whole,
   * that one comes alone.
   *
   * @throws {SessionError} `invalid-config`
   */
  async sessions(
    { agents, onError = ignore }: Pick<LibraryListOptions, "agents" | "onError"> = {},
  ): Promise<AgentSession[]> {
    const found: AgentSession[] = [];
    for (const agent of await this.agents(agents)) {
      for await (const session of this.#locate(agent, onError)) found.push(session);
    }
    return withoutHeldSessions(found);
  }

  /**
   * Lists sessions, the newest update first, with their marks. Of a copy and its original, where one
   * holds the other whole, that one comes alone.
   *
   * @throws {SessionError} `invalid-config`; of one session or agent errors go to `onError`.
   */
  async list(options: LibraryListOptions = {}): Promise<Summary[]> {
    return (await this.entries(options)).map(({ row }) => row);
  }

  /**
   * Lists sessions as {@linkcode Library.list}, each with what opens it.
   *
   * @throws {SessionError} `invalid-config`; of one session or agent errors go to `onError`.
   */
  async entries(options: LibraryListOptions = {}): Promise<LibraryEntry[]> {
    const { agents, directories, exact = false, onError = ignore } = options;
    const marks = marksIn(this.place.root);
    // An agent may list a session for several directories.
    const found = new Map<string, LibraryEntry>();
    for (const agent of await this.agents(agents)) {
      for await (const session of this.#locate(agent, onError)) {
        const row = await summarized(agent, session, exact, onError);
        if (row !== undefined) found.set(keyOf(row), { session, row: withMarks(row, marks) });
      }
    }
    const rows = [...found.values()].map(({ row }) => row);
    const wanted = directories === undefined ? rows : rows.filter((row) => isOf(row, directories));
    const { archived, since, title, limit } = options;
    const selection = {
      ...(archived === undefined ? {} : { archived }),
      ...(since === undefined ? {} : { since }),
      ...(title === undefined ? {} : { title }),
    };
    // Copies that are left out must not count.
    const selected = withoutHeldCopies(selectSummaries(wanted, selection));
    return selected.slice(0, limit ?? selected.length).flatMap((row) => {
      const session = found.get(keyOf(row))?.session;
      return session === undefined ? [] : [{ session, row }];
    });
  }

  async *#locate(
    agent: Agent,
    onError: (error: SessionError) => void,
  ): AsyncGenerator<AgentSession> {
    let count = 0;
    try {
      for await (const session of agent.locate(this.place.environment)) {
        if (++count % SLICE === 0) await new Promise<void>((done) => void setImmediate(done));
        yield session;
      }
    } catch (error) {
      // One agent's folder that cannot be read must not hide the others.
      if (!(error instanceof SessionError)) throw error;
      onError(error);
    }
  }

  /**
   * Opens the session that a reference names: an id or its first characters, `<agent>:<id>`, or a
   * path; `~<thread>` and `#<seq>` behind it name a thread and an event of it.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `unsupported-source`, `permission`,
   * `io`, `invalid-config`
   */
  async open(ref: string, options: OpenOptions = {}): Promise<SessionHandle> {
    const parsed = parseRef(ref, AGENT_NAMES);
    const { seq, thread } = parsed;
    const place = {
      ...(seq === undefined ? {} : { seq }),
      ...(thread === undefined ? {} : { thread }),
    };
    if (parsed.kind === "path") {
      const path = resolve(this.#cwd, parsed.path);
      const found = await findInFile(this.place, path, options.damaged ?? false);
      const handle = this.#handle(found, place);
      if (found.of_several !== undefined) options.onSeveral?.(found.of_several, handle.id);
      return handle.log === undefined || handle.writable
        ? handle
        : this.#handle(found, { ...place, ref: parsed.path });
    }
    const name = parsed.kind === "agent" ? parsed.agent as AgentName : undefined;
    const found = await findById(this.place, name, parsed.prefix, realDirectory(this.#cwd));
    // Messages name a session of ours as it was typed.
    const typed = found.agent.log === undefined ? {} : { ref: parsed.prefix };
    return this.#handle(found, { ...place, ...typed });
  }

  /** Makes the handle of a session that was located or listed. */
  async handle(session: AgentSession): Promise<SessionHandle> {
    return this.#handle({ agent: await loadAgent(session.agent), session }, {});
  }

  /** Makes the handle of a row of {@linkcode Library.list}. */
  async handleOf(row: Summary): Promise<SessionHandle> {
    return await this.handle(sessionOf(row));
  }

  #handle({ agent, session }: FoundSession, place: object): SessionHandle {
    return new SessionHandle(agent, session, this.place.root, place);
  }

  /** The rules by which agents delete sessions, for one that starts in `cwd`. */
  async expiries(
    names?: readonly AgentName[],
    cwd?: string,
  ): Promise<{ agent: Agent; expiry: Expiry }[]> {
    return (await this.agents(names)).flatMap((agent) => {
      const expiry = agent.expiry?.(this.place.environment, cwd);
      return expiry === undefined ? [] : [{ agent, expiry }];
    });
  }
}

function ignore(): void {}

/** An id may be there twice, where somebody copied a session's folder. */
function keyOf({ ref, path }: Summary): string {
  return `${ref}\n${path}`;
}

async function summarized(
  agent: Agent,
  session: AgentSession,
  exact: boolean,
  onError: (error: SessionError) => void,
): Promise<Summary | undefined> {
  try {
    return await agent.summarize(session, { exact });
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    onError(error);
    return undefined;
  }
}

/** True when a session belongs to one of the directories, or to what is below one. */
export function isOf({ cwd }: Pick<Summary, "cwd">, directories: readonly string[]): boolean {
  if (cwd === undefined) return false;
  // The agent wrote the path as it saw it: links may lead there.
  return isInProject(cwd, directories) || isInProject(realDirectory(cwd), directories);
}

/** The session of a row. */
function sessionOf({ agent, session_id: id, path, cwd }: Summary): AgentSession {
  return { agent: agent as AgentName, id, path, ...(cwd === undefined ? {} : { cwd }) };
}

/**
 * Opens the library of this machine. Nothing is read or written before it is asked.
 *
 * @param options Where to look, for tests and for programs with a store of their own.
 * @returns The library.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * await assert.rejects(library.open("3f2a91c0"), { code: "not-found" });
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export function openLibrary(options: LibraryOptions = {}): Library {
  const { variable = (name) => Deno.env.get(name), cwd = Deno.cwd() } = options;
  const os = Deno.build.os;
  const given = options.root ?? dataRoot(variable, os === "windows");
  const root = given === undefined ? undefined : resolve(cwd, given);
  return new Library(libraryPlace({ root, variable, os }), cwd);
}
