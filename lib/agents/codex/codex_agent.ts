/**
 * Codex (openai/codex, versions 0.1 to 0.169): one file a thread, read in place, by its own rules.
 *
 * The model gets the response items. The events beside them say how calls ended, what was changed
 * and what it took. Where Codex itself fails or loses what is there, it is kept:
 *
 * - a compaction that a rollback took back goes with it (openai/codex#32851);
 * - a fork whose parent is gone is read as far as it goes;
 * - a damaged line costs itself.
 *
 * The conversation differs from what Codex sends. Outputs that were stored longer than a newer
 * version would send stay whole.
 */
import type { Agent, SessionFiles } from "../../source/agent.ts";
import { asName } from "../../reading/json_value.ts";
import { isPlainJson, verbatimIn } from "../../reading/files/session_files.ts";
import { deriveReader } from "../../reading/session_reader.ts";
import { readLineage } from "./lineage.ts";
import { sessionAt } from "./locate.ts";
import { openCodexReading, readCodex, readCodexMessages } from "./read.ts";
import { readCodexTail } from "./read_tail.ts";
import { recognizeCodex } from "./recognize.ts";
import type { CodexSession } from "./rollout.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { parseRolloutName } from "./rollout_name.ts";
import { spawnedBeside } from "./spawned.ts";
import { summarizeCodex } from "./summarize.ts";
import { threadsOfCodex } from "./threads.ts";
import { readUsage } from "./usage.ts";

/** Reads the threads of Codex. */
export const codexAgent: Agent = {
  name: "codex",
  recognize: recognizeCodex,
  sessionsIn,
  // A thread may go on from files of others, by line and by rollback.
  open: deriveReader({
    summarize: summarizeCodex,
    read: readCodex,
    openReading: openCodexReading,
    messages: readCodexMessages,
    threads: threadsOfCodex,
    usage: readUsage,
    readTail: readCodexTail,
    files: filesOf,
  }),
};

/** The thread in a file: the id stands in its head, and in its name. */
async function sessionsIn(path: string): Promise<CodexSession[]> {
  const meta = await readRolloutHead(path);
  const id = asName(meta?.payload.id) ?? parseRolloutName(path)?.id;
  return id === undefined ? [] : [sessionAt(id, path)];
}

/**
 * A thread that goes on from another one has only what is new in its own file; what its agents started
 * has files of its own.
 */
async function filesOf(session: CodexSession): Promise<SessionFiles | undefined> {
  const { spawned = await spawnedBeside(session) } = session;
  const paths: string[] = [];
  for (const path of [session.path, ...spawned.map((thread) => thread.path)]) {
    if (!isPlainJson(path)) return undefined;
    for (const stretch of await readLineage(path)) paths.push(stretch.path);
  }
  const files = verbatimIn([...new Set(paths)]);
  return files && { ...files, borrowed: paths.filter((path) => path !== session.path) };
}
