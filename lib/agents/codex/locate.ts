/**
 * Locates Codex's threads in `sessions/YYYY/MM/DD` and `archived_sessions`
 * (codex-rs/rollout/src/list.rs). Before 2025-09, threads were in `sessions` itself.
 *
 * A thread that an agent of another thread started has its own rollout. The rollout's head contains
 * `source {subagent: {thread_spawn: {parent_thread_id}}}` (codex-rs/protocol, SubAgentSource). In
 * 0.169 the head also contains `parent_thread_id`. The thread of a review or a compaction names no
 * parent, so it is listed as a session.
 */
import { dirname, join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { asName, asText, present } from "../engine/json.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { NO_FACTS } from "../contract/located_facts.ts";
import { rolloutFiles } from "./rollout_files.ts";

interface SpawnedThread {
  id: string;
  path: string;
  parent: string;
}

export interface CodexSession extends AgentSession {
  thread_name?: string;
  /** True if the list of names was read. Without a `thread_name`, the thread then has no name. */
  named?: boolean;
  /** The threads that the session's agents started. Absent if the threads were not looked up. */
  spawned?: readonly SpawnedThread[];
}

const ARCHIVE = "archived_sessions";

/**
 * Finds each session once. A thread that a session's agent started belongs to that session. Such a
 * thread is listed by itself only with `subagents`.
 */
export async function* locateCodex(
  { folder: home }: AgentPlace,
  { subagents = false, facts }: LocateOptions = {},
): AsyncGenerator<CodexSession> {
  const names = readThreadNames(home);
  const rollouts = homeRollouts(home);
  const spawned = await spawnedThreads(rollouts, facts);
  const children = new Set(spawned.map(({ id }) => id));
  for (const [id, path] of rollouts) {
    if (!subagents && children.has(id)) continue;
    const threads = spawned.length === 0 ? [] : descendants(id, spawned);
    const found = { ...sessionAt(id, path), named: true };
    yield { ...found, ...present({ thread_name: names.get(id) }), spawned: threads };
  }
}

export function sessionAt(id: string, path: string): CodexSession {
  const archived = path.split(/[\\/]/).at(-2) === ARCHIVE;
  return present({ agent: "codex", id, path, archived: archived ? true : undefined });
}

/** Maps the thread ids of a Codex home to rollouts. A live rollout wins over an archived one. */
function homeRollouts(home: string): Map<string, string> {
  const rollouts = rolloutFiles(join(home, "sessions"));
  for (const [id, path] of rolloutFiles(join(home, "archived_sessions"))) {
    if (!rollouts.has(id)) rollouts.set(id, path);
  }
  return rollouts;
}

/** Returns the threads that a thread's agents started, directly or through others. */
export async function spawnedBeside({ id, path }: CodexSession): Promise<SpawnedThread[]> {
  const home = codexHome(path);
  const rollouts = home === undefined ? rolloutFiles(dirname(path)) : homeRollouts(home);
  return descendants(id, await spawnedThreads(rollouts));
}

/** Returns the threads that agents started. Omits a thread whose parent is not in `rollouts`. */
async function spawnedThreads(
  rollouts: ReadonlyMap<string, string>,
  facts = NO_FACTS,
): Promise<SpawnedThread[]> {
  const spawned: SpawnedThread[] = [];
  // Loaded only if a head is not known: it brings all that reads one.
  let reader: Promise<typeof import("./rollout_file.ts")> | undefined;
  const load = (): NonNullable<typeof reader> => reader ??= import("./rollout_file.ts");
  for (const [id, path] of rollouts) {
    const parent = await facts.recall([path], async () => (await load()).readParent(path));
    if (parent !== null && parent !== id && rollouts.has(parent)) {
      spawned.push({ id, path, parent });
    }
  }
  return spawned;
}

function descendants(id: string, spawned: readonly SpawnedThread[]): SpawnedThread[] {
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

/** Returns the folder above a rollout's `sessions` or `archived_sessions`, undefined if neither. */
export function codexHome(rollout: string): string | undefined {
  const folder = dirname(rollout);
  for (const home of [dirname(folder), dirname(dirname(dirname(dirname(folder))))]) {
    const below = folder.slice(home.length + 1).split(/[\\/]/);
    if (below[0] === "archived_sessions" && below.length === 1) return home;
    if (below[0] === "sessions" && (below.length === 1 || below.length === 4)) return home;
  }
  return undefined;
}

/**
 * Reads the names that users gave to threads, by thread id. Codex appends rows
 * `{id, thread_name, updated_at}` to `session_index.jsonl` (codex-rs/rollout/src/session_index.rs).
 * The newest row of an id wins.
 */
export function readThreadNames(home: string): Map<string, string> {
  const names = new Map<string, string>();
  try {
    for (const { value } of readHeadRecords(join(home, "session_index.jsonl"), INDEX_BYTES)) {
      const id = asText(value.id);
      const name = asName(value.thread_name);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // No index, or one that cannot be read: threads go by their first prompt.
  }
  return names;
}

/** Maximum bytes that are read of an index. A row takes about 130 bytes, so no index is larger. */
const INDEX_BYTES = 16 * 1024 * 1024;
