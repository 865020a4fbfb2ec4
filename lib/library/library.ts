/**
 * Every session on this machine, whichever agent keeps it.
 *
 * @module
 */
import { resolve } from "node:path";
import { AGENT_NAMES, type AgentName } from "../core/event/agent_name.ts";
import { present } from "../core/event/present.ts";
import { SessionError } from "../core/event/session_error.ts";
import { environmentVariable, workingDirectory } from "../core/platform/process.ts";
import { operatingSystem } from "../core/platform/runtime.ts";
import type { AgentSession } from "../agents/contract/agent.ts";
import { dataRoot } from "../core/workspace/data_root.ts";
import { realDirectory } from "../core/workspace/real_directory.ts";
import { namedPath } from "../core/workspace/session_directory.ts";
import { cacheProblem } from "./catalogue/cache/own_cache.ts";
import { Candidate, RowSource } from "./query/candidate.ts";
import type { CatalogueOptions } from "./catalogue/catalogue_options.ts";
import { lateRows } from "./query/fill_rows.ts";
import { findSessions } from "./query/find_sessions.ts";
import type { FoundSession } from "./query/find_session.ts";
import { checkNames } from "../core/store/checked_options.ts";
import type { Marks } from "../core/store/marks.ts";
import {
  chosenAgents,
  type LibraryPlace,
  libraryPlace,
  marksIn,
} from "./catalogue/library_place.ts";
import { locateWithKept } from "./machine/kept/kept_sessions.ts";
import { loadLocator, mayExpire, tracedAgents } from "./machine/locators.ts";
import { LIBRARY_OPTIONS, OPEN_OPTIONS, QUERY_OPTIONS } from "./query/option_names.ts";
import type { FoundSessions, QueryOptions, SessionEntry } from "./query/query.ts";
import { descriptorOf } from "./machine/registry.ts";
import type { SealKeySource } from "./machine/sealed/find_sealed.ts";
import type { SessionHandle } from "./handle/session_handle.ts";
import { Turns } from "./catalogue/turns.ts";

/** Options for where a library looks for sessions, and whether it uses the cache folder. */
export interface LibraryOptions {
  /** The data root of Reprise's own sessions. @default {$REPRISE_HOME, else the user's state folder} */
  root?: string;
  /** Returns an environment variable's value. @default {the process's environment} */
  variable?: (name: string) => string | undefined;
  /** Directory that paths are relative to. @default {the process's} */
  cwd?: string;
  /** Returns the current time. @default {the system's} */
  now?: () => Date;
  /**
   * Uses the cache folder of this user, so that no session is read twice: `$REPRISE_CACHE`, else
   * usually `~/.cache/reprise`. Each data root has its own folder there. Give your program's
   * version, because another version may summarize sessions differently.
   *
   * @default {no cache is read or written}
   */
  cache?: { version: string } | undefined;
}

type CacheUse = Pick<CatalogueOptions, "version" | "now">;

/** Options for opening a session: damaged logs, files with several sessions, and keys. */
export interface OpenOptions {
  /** True to open a path to a log without any intact event, to verify or repair the log. */
  damaged?: boolean;
  /**
   * Called for a file with several sessions. Gets their number, and the id of the latest session,
   * which is opened.
   */
  onSeveral?: (count: number, taken: string) => void;
  /**
   * The keys of an encrypted file, or a function that returns them. The function is called only for
   * an encrypted file.
   *
   * @default {none: an encrypted file is refused as `encrypted`}
   */
  keys?: SealKeySource;
  /**
   * True to leave the `@<id>` of a reference unresolved, so that the record's event is not
   * searched. For callers that search the event in the session's end themselves.
   *
   * @default {false}
   */
  keeps_record?: boolean;
}

/**
 * All sessions on this machine: to list, to find and to read them. Made by {@linkcode openLibrary}.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * const { entries } = await library.query({ scope: "project", since: new Date(), limit: 10 });
 * for (const entry of entries) assert.ok((await entry.row())?.title);
 * await rm(root, { recursive: true });
 * ```
 */
export class Library {
  /** The machine whose store and agents' folders are searched for sessions. */
  readonly place: LibraryPlace;
  readonly #cwd: string;
  readonly #cache: CacheUse | undefined;
  #kept: CatalogueOptions | undefined;
  #source: RowSource | undefined;

  /**
   * Makes a library of a given machine. {@linkcode openLibrary} describes this machine itself.
   *
   * @param place The machine to search for sessions.
   * @param cwd Directory that paths are relative to.
   * @param cache The program's version and clock for the cache folder; by default no cache is used.
   */
  constructor(place: LibraryPlace, cwd: string, cache?: CacheUse) {
    this.place = place;
    this.#cwd = cwd;
    this.#cache = cache;
  }

  /**
   * The folder of the data root in the user's cache folder. Undefined if no cache is used, or if
   * the folder is unsafe. Also undefined if neither `REPRISE_CACHE` nor a home folder is set.
   */
  get cache(): string | undefined {
    return this.kept.folder;
  }

  /** The folder of the catalogue, for {@linkcode usageOf}; an empty object if no cache is used. */
  get kept(): CatalogueOptions {
    return this.#kept ??= this.#openCache();
  }

  /** Returns the name of an agent as its makers write it. */
  titleOf(agent: AgentName): string {
    return descriptorOf(agent).title;
  }

  /**
   * The titles, tags and notes that were given to sessions on this machine. Unreadable marks are
   * left out.
   *
   * @internal
   */
  get marks(): Marks {
    return marksIn(this.place.root, () => {});
  }

  #openCache(): CatalogueOptions {
    const folder = this.#cache === undefined ? undefined : this.place.cache;
    if (folder === undefined || cacheProblem(folder) !== undefined) return {};
    return { folder, ...this.#cache };
  }

  /**
   * The data root of Reprise's own sessions.
   *
   * @throws {SessionError} `invalid-config` if neither the options nor the environment name it.
   */
  get root(): string {
    const { root } = this.place;
    if (root !== undefined) return root;
    const message = "Cannot find the session store: set REPRISE_HOME to the store's folder";
    throw new SessionError("invalid-config", message);
  }

  /**
   * Finds the addresses of sessions: agent, id and path. No session is read, so a file may turn out
   * to have no session. Archived sessions and subagents of Reprise are included.
   *
   * If an imported session and its original are found, and one contains the other whole, only the
   * containing session is returned. Forks and their originals are all returned.
   *
   * @throws {SessionError} `invalid-config`
   */
  async sessions(
    { agents, onError = ignore }: Pick<QueryOptions, "agents" | "onError"> = {},
  ): Promise<AgentSession[]> {
    const found: AgentSession[] = [];
    for (const name of tracedAgents(this.place.environment, chosenAgents(this.place, agents))) {
      for await (const session of this.#locate(name, onError)) found.push(session);
    }
    const { withoutHeldSessions } = await import("./query/listed_copies.ts");
    return withoutHeldSessions(found);
  }

  /**
   * Finds sessions, the newest update first.
   *
   * If an imported session and its original are found, and one contains the other whole, only the
   * containing session is returned. Forks and their originals are all returned.
   *
   * @throws {SessionError} `invalid-config`. Errors of a single session or agent go to `onError`.
   */
  async query(options: QueryOptions = {}): Promise<FoundSessions> {
    checkNames("find sessions", options, QUERY_OPTIONS);
    const cwd = namedPath(this.#cwd, options.cwd ?? ".");
    return await findSessions(this.#rows, { ...options, cwd });
  }

  /**
   * Returns an entry, like those of a query, for a session whose agent, id and path are known.
   *
   * @param session The agent, id and path of the session.
   * @param updated The time of the session's last update, in milliseconds since 1970.
   */
  entry(session: AgentSession, updated = NaN): SessionEntry {
    const { cwd = "", archived = false } = session;
    const [imported, subagent] = [false, false];
    const facts = { updated, cwd, archived, imported, subagent, row: () => undefined };
    return new Candidate(this.#rows, session, facts);
  }

  /**
   * Reads the counts and costs that rows lack, in the order of the entries. Stops after about the
   * given number of milliseconds. Afterwards, these entries have the counts and costs in their
   * rows, and so have entries of later queries.
   *
   * @param entries Entries of a query, after their rows were read.
   * @param milliseconds The time for reading.
   * @param active True to read the active time, too.
   */
  async fillCounts(
    entries: readonly SessionEntry[],
    milliseconds: number,
    active = false,
  ): Promise<void> {
    const { fillCounts } = await import("./query/fill_rows.ts");
    await fillCounts(this.#rows, entries.filter(isCandidate), milliseconds, active);
  }

  /**
   * Reads the costs of sessions, and estimates costs that were not recorded. Afterwards, these
   * entries have the costs in their rows, and so have entries of later queries.
   *
   * @param entries Entries of a query, after their rows were read.
   */
  async fillCosts(entries: readonly SessionEntry[]): Promise<void> {
    const { fillCosts } = await import("./query/fill_rows.ts");
    await fillCosts(this.#rows, entries.filter(isCandidate));
  }

  get #rows(): RowSource {
    return this.#source ??= new RowSource(this.place, this.kept, lateRows);
  }

  async *#locate(
    name: AgentName,
    onError: (error: SessionError) => void,
  ): AsyncGenerator<AgentSession> {
    const locator = await loadLocator(name);
    const turns = new Turns();
    try {
      for await (const session of locateWithKept(locator, name, this.place.environment)) {
        if (turns.isDue()) await turns.pass();
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
   * path. `team:…` names a session that was pulled from a team's store. `herdr:<name>` names the
   * session in a pane of herdr. `~<thread>`, `#<seq>` and `@<id>` after a reference name a thread,
   * an event and a record of the session. A whole id wins over ids that begin with it.
   *
   * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `unsupported-source`,
   * `permission`, `io`, `invalid-config`
   */
  async open(ref: string, options: OpenOptions = {}): Promise<SessionHandle> {
    checkNames("open session", options, OPEN_OPTIONS);
    const handle = await this.#open(ref, options);
    return options.keeps_record ? handle : await handle.atEvent();
  }

  async #open(ref: string, options: OpenOptions): Promise<SessionHandle> {
    if (ref.startsWith("herdr:")) {
      const { openPointed } = await import("./handle/herdr/open_pointed.ts");
      return await openPointed(this.place.environment, ref, (target) => this.open(target, options));
    }
    const { parseRef } = await import("../core/store/ref.ts");
    const parsed = parseRef(ref, AGENT_NAMES);
    const { seq, thread, record } = parsed;
    const place = present({ seq, thread, record });
    const { findById, findInFile } = await import("./query/find_session.ts");
    if (parsed.kind === "team") {
      const { findMirrored } = await import("./query/find_mirrored.ts");
      return await this.#handle(await findMirrored(this.place.root, parsed, ref), place);
    }
    if (parsed.kind === "path") {
      const path = resolve(this.#cwd, parsed.path);
      const found = await findInFile(this.place, path, { ...options, named: thread });
      if (found.named) return await this.#handle(found, present({ seq, record }));
      const handle = await this.#handle(found, place);
      if (found.of_several !== undefined) options.onSeveral?.(found.of_several, handle.id);
      return !handle.has_bytes || handle.writable
        ? handle
        : await this.#handle(found, { ...place, ref: parsed.path });
    }
    const name = parsed.kind === "agent" ? parsed.agent as AgentName : undefined;
    const found = await findById(this.place, name, parsed.prefix, realDirectory(this.#cwd));
    // Messages name a session of Reprise as it was typed.
    const typed = found.reader.log === undefined ? {} : { ref: parsed.prefix };
    return await this.#handle(found, { ...place, ...typed });
  }

  /**
   * Removes deleted sessions from the cache folder, even if this program uses no cache. A store
   * does not do this. So call this method after `remove` and `prune`, before you report that the
   * sessions were deleted. After `emptyTrash`, no further call is needed.
   *
   * @throws {SessionError} `locked`, `permission`, `disk-full`, `io` if the cache folder may still
   * have a session.
   */
  async forget(agent: AgentName, ids: readonly string[]): Promise<void> {
    const { forgetSessions } = await import("./catalogue/forget_sessions.ts");
    forgetSessions({ folder: this.place.cache, ...this.#cache }, agent, ids);
  }

  /** True for an agent that may delete sessions by itself. */
  mayExpire(agent: string): boolean {
    return mayExpire(agent);
  }

  async #handle({ reader }: FoundSession, place: object): Promise<SessionHandle> {
    const { SessionHandle } = await import("./handle/session_handle.ts");
    return new SessionHandle(reader, this.place.root, {
      ...place,
      place: this.place,
      kept: this.kept,
    });
  }
}

function ignore(): void {}

function isCandidate(entry: SessionEntry): entry is Candidate {
  return entry instanceof Candidate;
}

/**
 * Opens the library of this machine. Nothing is read or written until one of its methods is called.
 *
 * @param options Where to look, for tests and for programs with a store of their own.
 * @returns The library.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * await assert.rejects(library.open("3f2a91c0"), { code: "not-found" });
 * await rm(root, { recursive: true });
 * ```
 */
export function openLibrary(options: LibraryOptions = {}): Library {
  checkNames("open library", options, LIBRARY_OPTIONS);
  const { variable = environmentVariable, cwd = workingDirectory() } = options;
  const os = operatingSystem;
  const given = options.root ?? dataRoot(variable, os === "windows");
  const root = given === undefined ? undefined : resolve(cwd, given);
  const { now } = options;
  return new Library(libraryPlace({ root, variable, os, now }), cwd, options.cache);
}
