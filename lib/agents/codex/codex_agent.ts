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
import type { Agent, VerbatimSource } from "../../source/agent.ts";
import { asName } from "../../reading/json_value.ts";
import { formatReader, messageReader } from "../../reading/format_reader.ts";
import { isPlainJson, verbatimIn } from "../../reading/files/verbatim.ts";
import { codexFormat } from "./codex_format.ts";
import { readLineage } from "./lineage.ts";
import { sessionAt } from "./locate.ts";
import { recognizeCodex } from "./recognize.ts";
import type { CodexSession } from "./rollout.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { parseRolloutName } from "./rollout_name.ts";
import { spawnedBeside } from "./spawned.ts";
import { readUsage } from "./usage.ts";

/** Reads the threads of Codex. */
export const codexAgent: Agent = {
  name: "codex",
  recognize: recognizeCodex,
  sessionsIn,
  ...formatReader(codexFormat),
  ...messageReader(codexFormat),
  // Codex counts a thread as it goes, and repeats counts: only their order tells what is new.
  usage: readUsage,
  verbatim,
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
async function verbatim(session: CodexSession): Promise<VerbatimSource | undefined> {
  const { spawned = await spawnedBeside(session) } = session;
  const paths: string[] = [];
  for (const path of [session.path, ...spawned.map((thread) => thread.path)]) {
    if (!isPlainJson(path)) return undefined;
    for (const stretch of await readLineage(path)) paths.push(stretch.path);
  }
  return verbatimIn([...new Set(paths)]);
}
