/** Tells whether a client has a session open, which must not be changed under it. */
import { SessionError } from "../event/session_error.ts";
import { descriptorOf } from "../library/registry.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { realPathSync, statSync } from "../platform/files.ts";
import { processRunning } from "../platform/process_state.ts";
import type { AgentEnvironment, AgentPlace } from "../source/agent_environment.ts";
import { agentPlaces, isBelow } from "../source/agent_roots.ts";
import type { LineRepair, SessionHold } from "../source/session_repair.ts";

/** A client may think for longer; then its process tells. */
const QUIET_MS = 60_000;

/** How to tell. */
export interface HoldOptions {
  environment: AgentEnvironment;
  now: () => Date;
}

/**
 * Makes sure that no client has a session open, and keeps others out where that is possible.
 *
 * @returns What lets go.
 * @throws {SessionError} `locked`
 */
export async function holdSession(
  handle: SessionHandle,
  repair: LineRepair,
  options: HoldOptions,
): Promise<() => void> {
  const hold = await (repair.hold?.(handle.session, placeOf(handle, options)) ??
    looksIdle(handle, repair, options));
  if (!("busy" in hold)) return hold.release;
  const { path } = handle;
  const message = `Cannot change session: ${hold.busy}: ${path}`;
  throw new SessionError("locked", message, { path });
}

/** The root that holds the session's file; the main one where it lies elsewhere. */
function placeOf({ agent, path }: SessionHandle, { environment }: HoldOptions): AgentPlace {
  const places = agentPlaces(descriptorOf(agent), environment);
  return places.find(({ folder }) => isBelow(path, folder)) ?? places[0] ??
    { ...environment, folder: environment.home };
}

/** Its client holds no lock and keeps no file open: only times and processes tell. */
async function looksIdle(
  handle: SessionHandle,
  { program }: LineRepair,
  { now }: HoldOptions,
): Promise<SessionHold> {
  const { path, agent_title } = handle;
  const changed = statSync(path).mtime?.getTime() ?? 0;
  const quiet = now().getTime() - changed;
  if (quiet >= 0 && quiet < QUIET_MS) {
    const seconds = Math.floor(quiet / 1000);
    return {
      busy: `it changed ${seconds} s ago, and ${agent_title} may have it open; wait a minute`,
    };
  }
  const cwd = await directoryOf(handle);
  const pid = cwd === undefined ? undefined : await processRunning(program, cwd);
  if (pid === undefined) return { release(): void {} };
  return { busy: `${agent_title} runs in its directory, in process ${pid}; leave it first` };
}

async function directoryOf(handle: SessionHandle): Promise<string | undefined> {
  try {
    const { cwd } = await handle.summary();
    return cwd ? realPathSync(cwd) : undefined;
  } catch {
    // Too damaged to say where it worked, or that directory is gone: nothing runs there.
    return undefined;
  }
}
