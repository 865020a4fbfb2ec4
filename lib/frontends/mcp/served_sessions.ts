/** The sessions that a client may read: those of the server's project, or all sessions. */
import { AGENT_NAMES, type AgentName } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { ambiguous } from "../../core/store/session_folder.ts";
import type { Library } from "../../library/library.ts";
import type { FoundSessions, QueryOptions } from "../../library/query/query.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { parseSessionId } from "../../core/store/ref.ts";
import { fileNamed } from "../../core/workspace/file_named.ts";
import { isInProject, projectDirectories } from "../../core/workspace/project.ts";
import { realDirectory } from "../../core/workspace/real_directory.ts";
import { namedPath, sessionDirectory } from "../../core/workspace/session_directory.ts";
import { ArgumentError } from "./tool_definitions.ts";
import { present } from "../../core/event/present.ts";

export interface ServedOptions {
  /** The server's working directory. The sessions of its project are served. */
  cwd: string;
  all: boolean;
  /** The agents whose sessions are served. @default {all} */
  agents?: readonly AgentName[] | undefined;
}

const WIDEN = "this server serves only one project. To serve all: reprise mcp --all";

/** Finds the served sessions. Other sessions appear not to exist. */
export class ServedSessions {
  readonly #library: Library;
  readonly #options: ServedOptions;
  /** The project's directories when the server started. Later changes of the project add none. */
  readonly #project: readonly string[];

  constructor(library: Library, options: ServedOptions) {
    this.#library = library;
    this.#options = options;
    this.#project = projectDirectories(options.cwd);
  }

  /**
   * Finds the served sessions of a directory, or all served sessions, the latest update first.
   *
   * @param cwd The directory; undefined for all served sessions.
   * @param file A file that the sessions must have changed. A relative path is below `cwd`.
   */
  async find(
    cwd: string | undefined,
    options: Omit<QueryOptions, "scope" | "cwd" | "directories" | "agents">,
    file?: string,
  ): Promise<FoundSessions> {
    const found = await this.#library.query({ ...options, ...this.#scope(cwd) });
    if (file === undefined) return found;
    const { findTouches } = await import("../../features/blame/mod.ts");
    const path = fileNamed(namedPath(this.#options.cwd, cwd ?? "."), file);
    const touches = await findTouches(found.entries, path, { kept: this.#library.kept });
    return { ...found, entries: [...touches.keys()] };
  }

  /** Returns a text for a search without results. It names the sessions that were not searched. */
  nothing(cwd: string | undefined, in_all: string): string {
    if (cwd !== undefined) {
      return "Nothing in this directory. Other directories were not searched.";
    }
    if (this.#options.all) return in_all;
    return "Nothing in this project. Other projects were not searched.";
  }

  /**
   * Opens a session by its id. Throws the errors of {@linkcode Library.open}.
   *
   * @throws {ArgumentError} Also if the session is not served.
   */
  async open(ref: string): Promise<SessionHandle> {
    try {
      const handle = await openNamedSession(this.#library, ref);
      if (await this.#isServed(handle)) return handle;
    } catch (error) {
      if (!(error instanceof SessionError) || this.#options.all) throw error;
      if (error.code !== "invalid-ref") return await this.#openFitting(ref, error);
      throw error;
    }
    throw this.#notServed(ref);
  }

  /** Opens the only served session that fits `ref`. Errors do not mention unserved sessions. */
  async #openFitting(ref: string, error: SessionError): Promise<SessionHandle> {
    const [, agent, prefix = "", behind = ""] = /^(?:([^:]*):)?([^~#]*)(.*)$/.exec(ref) ?? [];
    const { entries } = await this.find(undefined, { archived: "any" });
    const refs = entries.filter(({ session }) =>
      (agent === undefined || session.agent === agent) &&
      session.id.toLowerCase().startsWith(prefix.toLowerCase())
    ).map(({ ref }) => ref);
    const [only, ...others] = refs;
    if (only === undefined) throw this.#notServed(ref);
    if (others.length > 0) throw ambiguous(prefix, refs);
    if (error.code !== "ambiguous") throw error;
    return await openNamedSession(this.#library, `${only}${behind}`);
  }

  async #isServed(handle: SessionHandle): Promise<boolean> {
    const { all, agents } = this.#options;
    if (agents !== undefined && !agents.includes(handle.agent)) return false;
    if (all) return true;
    return sessionDirectory((await handle.summary()).cwd)?.isIn(this.#project) ?? false;
  }

  #notServed(ref: string): ArgumentError {
    const { all, agents } = this.#options;
    if (all) {
      const served = agents?.join(", ");
      return new ArgumentError(
        `Cannot read session: this server gives access only to sessions of ${served}`,
      );
    }
    return new ArgumentError(`Cannot find session "${ref}" in this project; ${WIDEN}`);
  }

  #scope(asked: string | undefined): Pick<QueryOptions, "agents" | "directories"> {
    const { cwd, all, agents } = this.#options;
    const chosen = present({ agents });
    if (asked === undefined) return all ? chosen : { ...chosen, directories: this.#project };
    const directory = namedPath(cwd, asked);
    if (all) return { ...chosen, directories: projectDirectories(directory) };
    const real = realDirectory(directory);
    if (isInProject(real, this.#project)) return { ...chosen, directories: [real] };
    throw new ArgumentError(`Cannot read the directory: ${WIDEN}`);
  }
}

/**
 * Opens a session by its id. Paths are rejected, because a model must not read files by naming
 * them.
 *
 * Sessions that members of a team shared are rejected, too.
 *
 * @throws {SessionError} `invalid-ref` also for a path; else as {@linkcode Library.open}.
 * @throws {ArgumentError} For a session of a team.
 */
export async function openNamedSession(library: Library, ref: string): Promise<SessionHandle> {
  const { kind } = parseSessionId(ref, AGENT_NAMES);
  if (kind === "team") {
    throw new ArgumentError("Cannot read session: this server gives no access to team sessions");
  }
  return await library.open(ref);
}
