/**
 * Threads that an agent of another thread started. They are rollouts of their own, whose head says
 * `source {subagent: {thread_spawn: {parent_thread_id}}}` (codex-rs/protocol, SubAgentSource). In
 * 0.169 it also says `parent_thread_id`. A review's or a compaction's own thread names none: it
 * stays a session.
 */
import { dirname, join } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { openRegularFile } from "../../file/regular_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import { isNotFound, isPermissionDenied } from "../../platform/system_error.ts";
import { NO_FACTS } from "../../source/located_facts.ts";
import { rolloutFiles } from "./rollout_files.ts";
import type { CodexSession, SpawnedThread } from "./rollout.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { rolloutForm } from "./rollout_name.ts";
import { spawnedBy } from "./session_head.ts";
import { codexHome } from "./session_index.ts";

/** The rollouts of a home, by the id of their thread; a live one wins over an archived one. */
export function homeRollouts(home: string): Map<string, string> {
  const rollouts = rolloutFiles(join(home, "sessions"));
  for (const [id, path] of rolloutFiles(join(home, "archived_sessions"))) {
    if (!rollouts.has(id)) rollouts.set(id, path);
  }
  return rollouts;
}

/** The threads that the agents of a thread started, and those that theirs did. */
export async function spawnedBeside({ id, path }: CodexSession): Promise<SpawnedThread[]> {
  const home = codexHome(path);
  const rollouts = home === undefined ? rolloutFiles(dirname(path)) : homeRollouts(home);
  return descendants(id, await spawnedThreads(rollouts));
}

/** Threads that others of these started. One whose parent is gone is a session of its own. */
export async function spawnedThreads(
  rollouts: ReadonlyMap<string, string>,
  facts = NO_FACTS,
): Promise<SpawnedThread[]> {
  const spawned: SpawnedThread[] = [];
  const room = new Uint8Array(HEAD_BYTES);
  for (const [id, path] of rollouts) {
    const parent = await facts.recall([path], () => readParent(path, room));
    if (parent !== null && parent !== id && rollouts.has(parent)) {
      spawned.push({ id, path, parent });
    }
  }
  return spawned;
}

/** Id of the thread that started the one in a file; null where none did. */
async function readParent(path: string, room: Uint8Array): Promise<string | null> {
  if (!mayBeSpawned(path, room)) return null;
  const meta = await readRolloutHead(path);
  return meta === undefined ? null : spawnedBy(meta.payload)?.toLowerCase() ?? null;
}

/** Of some spawned threads those that a thread started, and that these did. */
export function descendants(id: string, spawned: readonly SpawnedThread[]): SpawnedThread[] {
  const found: SpawnedThread[] = [];
  const parents = new Set([id.toLowerCase()]);
  // A set grows while it is gone through: a thread comes behind its parent, and once.
  for (const parent of parents) {
    for (const thread of spawned) {
      if (thread.parent !== parent || parents.has(thread.id)) continue;
      parents.add(thread.id);
      found.push(thread);
    }
  }
  return found;
}

/** Bytes in which the head says what started a thread: before all instructions. */
const HEAD_BYTES = 4096;
const findSubagent = byteSearch('"subagent"');

/** Whether the first bytes may say so: nearly all threads are not parsed. */
function mayBeSpawned(path: string, room: Uint8Array): boolean {
  if (rolloutForm(path) !== "lines") return rolloutForm(path) === "compressed";
  try {
    using file = openRegularFile(path).file;
    const count = file.readSync(room) ?? 0;
    return findSubagent(room, 0, count) >= 0;
  } catch (error) {
    // Gone since, locked, or no file: whoever reads it says so.
    if (error instanceof SessionError) return false;
    if (isNotFound(error)) return false;
    if (isPermissionDenied(error)) return false;
    throw toSessionError(error, "read session", path);
  }
}
