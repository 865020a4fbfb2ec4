/**
 * Locks a session before a change. Checks that no client has the session open, and that its file
 * did not change.
 */
import { SessionError } from "../../core/event/session_error.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import type { FileInfo } from "../../core/platform/file_system.ts";
import { lstatSync, realPathSync, statSync } from "../../core/platform/files.ts";
import { ProcessTable } from "../../core/platform/process_table.ts";
import type { AgentEnvironment, AgentPlace } from "../../agents/contract/agent_environment.ts";
import { agentPlaces, isBelow } from "../../agents/contract/agent_roots.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import type { LineRepair, SessionHold } from "../../agents/contract/session_repair.ts";

const QUIET_MS = 60_000;

interface HoldOptions {
  environment: AgentEnvironment;
  now: () => Date;
}

/**
 * Makes sure that no client has a session open, and keeps clients out if their agent has a lock.
 *
 * @returns A function that releases the session.
 * @throws {SessionError} `locked` if a client has the session open.
 */
export async function holdSession(
  handle: SessionHandle,
  repair: Pick<LineRepair, "program" | "hold">,
  options: HoldOptions,
): Promise<() => void> {
  const hold = await (repair.hold?.(handle.session, placeOf(handle, options)) ??
    looksIdle(handle, repair, options));
  if (!("busy" in hold)) return hold.release;
  const { path } = handle;
  const message = `Cannot change session: ${hold.busy}: ${path}`;
  throw new SessionError("locked", message, { path });
}

function placeOf({ agent, path }: SessionHandle, { environment }: HoldOptions): AgentPlace {
  const places = agentPlaces(descriptorOf(agent), environment);
  return places.find(({ folder }) => isBelow(path, folder)) ?? places[0] ??
    { ...environment, folder: environment.home };
}

async function looksIdle(
  handle: SessionHandle,
  { program }: Pick<LineRepair, "program">,
  { now }: HoldOptions,
): Promise<SessionHold> {
  const { path, agent_title } = handle;
  const changed = statSync(path).mtime?.getTime() ?? 0;
  const quiet = now().getTime() - changed;
  if (quiet >= 0 && quiet < QUIET_MS) {
    const seconds = Math.floor(quiet / 1000);
    return {
      busy: `the session changed ${seconds} s ago, so ${agent_title} may have the session ` +
        "open; wait a minute",
    };
  }
  const cwd = await directoryOf(handle);
  const [running] = cwd === undefined ? [] : await new ProcessTable().running(program, cwd);
  if (running === undefined) return { release(): void {} };
  return {
    busy: `${agent_title} is running in the session's directory (process ${running.pid}); ` +
      `quit ${agent_title} first`,
  };
}

async function directoryOf(handle: SessionHandle): Promise<string | undefined> {
  try {
    const { cwd } = await handle.summary();
    const local = sessionDirectory(cwd)?.local;
    return local && realPathSync(local);
  } catch {
    // The session is too damaged to name its directory, or the directory is gone: no client runs
    // there.
    return undefined;
  }
}

export function regularFile(path: string): FileInfo {
  const info = infoOf(path);
  if (info.isFile) return info;
  const kind = info.isSymlink
    ? "the path is a link; give the file that the link points to"
    : "the path is not a regular file";
  throw new SessionError("unsupported-source", `Cannot change session: ${kind}: ${path}`, { path });
}

function infoOf(path: string): FileInfo {
  try {
    return lstatSync(path);
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

export function checkSame(path: string, before: FileInfo): void {
  if (isSame(infoOf(path), before)) return;
  const message = `Cannot change session: the file changed while it was read; try again: ${path}`;
  throw new SessionError("locked", message, { path });
}

export function isSame(one: FileInfo, other: FileInfo): boolean {
  return one.size === other.size && one.mtime?.getTime() === other.mtime?.getTime() &&
    one.ino === other.ino && one.dev === other.dev;
}
