/**
 * Locates Codex's threads: in `sessions/YYYY/MM/DD`, before 2025-09 `sessions` itself, and in
 * `archived_sessions` (codex-rs/rollout/src/list.rs).
 */
import type { LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import type { CodexSession } from "./rollout.ts";
import { readThreadNames } from "./session_index.ts";
import { descendants, homeRollouts, spawnedThreads } from "./spawned.ts";

const ARCHIVE = "archived_sessions";

/**
 * Finds sessions, each once. What an agent of one of them started is a thread of that session, and
 * not one of its own.
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
    yield { ...sessionAt(id, path), named: true, ...name(names.get(id)), spawned: threads };
  }
}

function name(thread_name: string | undefined): { thread_name?: string } {
  return thread_name === undefined ? {} : { thread_name };
}

/** The session of a thread, as its path tells it. */
export function sessionAt(id: string, path: string): CodexSession {
  const archived = path.split(/[\\/]/).at(-2) === ARCHIVE;
  return { agent: "codex", id, path, ...(archived ? { archived } : {}) };
}
