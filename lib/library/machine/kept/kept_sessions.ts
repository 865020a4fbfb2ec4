/**
 * Finds kept copies of sessions that their agent no longer has. Such sessions stay in lists and
 * searches, and references to them stay valid.
 */
import { present } from "../../../core/event/present.ts";
import { join } from "node:path";
import type { AgentName } from "../../../core/event/agent_name.ts";
import { isThere } from "../../../core/file/presence.ts";
import { pathOnDisk } from "../../../core/file/regular_file.ts";
import { isWithin } from "../../../core/store/relinks.ts";
import type { AgentSession, LocateOptions } from "../../../agents/contract/agent.ts";
import type { AgentEnvironment } from "../../../agents/contract/agent_environment.ts";
import type { Locator } from "../locators.ts";
import { copyPath, mainFile, readKeptManifest, shownGeneration } from "./manifest.ts";
import { hasPulled, isPulledCopy, pulledSessions } from "../pulled/pulled_sessions.ts";
import { backupsDirectory, hasKept, keptFolder, readKept } from "./kept_index.ts";

/** True for the path of a copy that no agent writes: in a backup, or from another machine. */
export function isKeptCopy(root: string | undefined, path: string): boolean {
  return root !== undefined &&
    (isWithin(path, backupsDirectory(root)) || isPulledCopy(root, path));
}

/**
 * Finds an agent's sessions, then backups of deleted sessions, then sessions from the user's other
 * machines.
 */
export async function* locateWithKept(
  locator: Locator,
  name: AgentName,
  environment: AgentEnvironment,
  options: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const { root } = environment;
  const has_pulled = hasPulled(root, name);
  if (root === undefined || !(has_pulled || hasKept(root, name))) {
    return yield* locator.locate(environment, options);
  }
  const standing = new Set<string>();
  for await (const session of locator.locate(environment, options)) {
    standing.add(session.id);
    yield session;
  }
  for (const session of goneSessions(root, name, standing)) {
    standing.add(session.id);
    yield session;
  }
  if (has_pulled) yield* pulledSessions(root, name, standing);
}

function* goneSessions(
  root: string,
  name: AgentName,
  standing: ReadonlySet<string>,
): Generator<AgentSession> {
  for (const entry of readKept(root, name)) {
    const { id, path, copy, cwd, archived } = entry;
    // A session that the locator left out because of its directory still exists. If a session's
    // file may not be looked at, at least the copy can be read.
    if (standing.has(id) || isThere(path)) continue;
    const shown = shownCopy(keptFolder(root, entry), copy);
    yield present({ agent: name, id, path: shown, cwd, archived: archived || undefined });
  }
}

/** Returns the copy's path. If the given file is missing, takes the path from the manifest. */
function shownCopy(folder: string, copy: string): string {
  const path = join(folder, copy);
  if (isThere(pathOnDisk(path))) return path;
  const manifest = readKeptManifest(folder);
  if (manifest === undefined) return path;
  const shown = shownGeneration(manifest);
  return copyPath(folder, shown, mainFile(shown));
}
