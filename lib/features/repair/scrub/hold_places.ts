/** Finds the files and databases of a session to scrub, and locks them against other programs. */
import { join } from "node:path";
import { isBuiltIn } from "../../../core/event/agent_name.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { acquireLock } from "../../../core/log/session_lock.ts";
import { hostName, processId } from "../../../core/platform/process.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import { isBelow } from "../../../agents/contract/agent_roots.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { isKeptCopy } from "../../../library/machine/kept/kept_sessions.ts";
import type { CopyFolder } from "../../../library/machine/kept/scrubbed_copies.ts";
import { descriptorOf } from "../../../library/machine/registry.ts";
import { holdSession } from "../hold_session.ts";
import { type SessionPlaces, sessionPlaces } from "./session_places.ts";

export interface ScrubOptions {
  root: string;
  environment: AgentEnvironment;
  now: () => Date;
  copies: () => readonly CopyFolder[];
  /** Takes the lock of the backups. */
  lockCopies: () => Promise<{ release(): void }>;
}

/**
 * Returns the places of a session where secrets are replaced.
 *
 * @throws {SessionError} `unsupported-source` if the session cannot be scrubbed.
 */
export async function placesOf(
  handle: SessionHandle,
  options: ScrubOptions,
): Promise<SessionPlaces> {
  if (!isBuiltIn(handle.agent)) {
    const message =
      "Cannot scrub secrets: a reader program of your own prints this session, and Reprise " +
      `cannot change it; remove the secrets from its files yourself: ${handle.path}`;
    throw new SessionError("unsupported-source", message, { path: handle.path });
  }
  const places = await sessionPlaces(handle, options.root, options.environment);
  const { path, agent_title } = handle;
  places.folders = [...options.copies(), ...places.folders];
  const is_mirror = isBelow(path, join(options.root, "remote"));
  if (!is_mirror && (places.has_file || places.database || isKeptCopy(options.root, path))) {
    return places;
  }
  if (is_mirror) {
    const message =
      "Cannot scrub secrets: the session is a copy from a team's store, and only its owner can " +
      `remove it there (reprise sync withdraw): ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  }
  const message =
    `Cannot scrub secrets: ${agent_title} keeps the session in a database, or in a file with ` +
    `other sessions, and Reprise never changes such files; delete the session in ${agent_title}: ` +
    `${path}`;
  throw new SessionError("unsupported-source", message, { path });
}

/** Returns a function that releases the locks. */
export async function holdAll(
  handle: SessionHandle,
  { locked, originals, database }: SessionPlaces,
  { environment, now, lockCopies }: ScrubOptions,
): Promise<() => void> {
  const held: (() => void)[] = [];
  const release = (): void => held.reverse().forEach((one) => one());
  try {
    const holder = { pid: processId(), host: hostName(), since: now().toISOString() };
    for (const folder of locked) {
      const lock = await acquireLock(folder, holder);
      held.push(() => lock.release());
    }
    const copies = await lockCopies();
    held.push(() => copies.release());
    // A database is locked while its rows are replaced.
    if (handle.log === undefined && originals.length > 0 && database === undefined) {
      const { loadRepair, setup, name } = descriptorOf(handle.agent);
      const repair = await loadRepair?.();
      const rules = repair?.kind === "lines" ? repair : { program: setup?.program ?? name };
      await assertNoDependant(handle);
      held.push(await holdSession(handle, rules, { environment, now }));
    }
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

export async function assertNoDependant({ agent, session, path }: SessionHandle): Promise<void> {
  const repair = await descriptorOf(agent).loadRepair?.();
  const other = repair?.kind === "lines" ? await repair.dependant?.(session) : undefined;
  if (other === undefined) return;
  const message = `Cannot scrub secrets: session ${other} depends on byte offsets in this file, ` +
    `which a scrub changes; delete that session first: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}
