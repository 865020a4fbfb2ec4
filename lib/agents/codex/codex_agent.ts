/**
 * Reads the threads of Codex (openai/codex, versions 0.1 to 0.169) by Codex's own rules. Each
 * thread has one file, which is read in place.
 *
 * The model gets the response items. The events among them tell how calls ended, what was changed,
 * and the tokens used. This reader handles three cases better than Codex:
 *
 * - A rollback past a compaction also removes the compaction (openai/codex#32851).
 * - A fork whose parent is missing is read as far as possible.
 * - A damaged line loses only itself.
 *
 * The conversation differs from the one that Codex sends. A stored output stays whole, even if a
 * newer version of Codex would shorten it.
 */
import { basename } from "node:path";
import { isPlainJson, verbatimIn } from "../engine/files/session_files.ts";
import { formatReader, messageReader } from "../engine/format_reader.ts";
import { asName } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { Agent, SourceFiles } from "../contract/agent.ts";
import { codexFormat } from "./codex_format.ts";
import { toRolloutRecord } from "./rollout_record.ts";
import { readLineage } from "./lineage.ts";
import { type CodexSession, sessionAt, spawnedBeside } from "./locate.ts";
import { readRolloutHead } from "./rollout_file.ts";
import { parseRolloutName } from "./rollout_files.ts";
import { readUsage } from "./usage.ts";
import { codexPrompt } from "./codex_history.ts";
import { withHistory } from "../engine/prompt_history.ts";

export const codexAgent: Agent = withHistory(
  {
    name: "codex",
    recognize,
    sessionsIn,
    open: formatReader(codexFormat, {
      messages: messageReader(codexFormat),
      // Codex counts a thread as it goes, and repeats counts: only their order tells what is new.
      usage: readUsage,
      files: filesOf,
    }),
  },
  codexPrompt,
);

async function sessionsIn(path: string): Promise<CodexSession[]> {
  const meta = await readRolloutHead(path);
  const id = asName(meta?.payload.id) ?? parseRolloutName(path)?.id;
  return id === undefined ? [] : [sessionAt(id, path)];
}

/**
 * Lists the files of a session: its own file, the files that it continues, and the files of its
 * agents. Undefined if a file is not plain JSON. Also undefined if a file is missing, because it
 * may come back.
 */
async function filesOf(session: CodexSession): Promise<SourceFiles | undefined> {
  const { spawned = await spawnedBeside(session) } = session;
  const paths = [session.path];
  let is_whole = true;
  const report = (): unknown => is_whole = false;
  for (const path of [session.path, ...spawned.map((thread) => thread.path)]) {
    if (!isPlainJson(path)) return undefined;
    for (const stretch of await readLineage(path, report)) paths.push(stretch.path);
  }
  if (!is_whole) return undefined;
  const files = verbatimIn([...new Set(paths)]);
  return files && { ...files, borrowed: paths.filter((path) => path !== session.path) };
}

const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];
const TYPES = /^(?:session_meta|response_item|event_msg|turn_context|world_state)(?:\/|$)/;
/** The beginning of a document of the TypeScript CLI. */
const DOCUMENT = /^\s*\{\s*"session"\s*:\s*\{/;

/** True if a file is a rollout. A compressed file or a document must also have a rollout's name. */
function recognize(path: string, head: Uint8Array): boolean {
  const named = basename(path).startsWith("rollout-");
  if (ZSTD.every((byte, index) => head[index] === byte)) {
    return named && path.endsWith(".jsonl.zst");
  }
  const [record] = headRecords(head, 1);
  if (record !== undefined && isFirst(record)) return true;
  return named && DOCUMENT.test(new TextDecoder().decode(head.subarray(0, 200)));
}

function isFirst(source: SourceRecord): boolean {
  const { value } = source;
  const { type, payload } = toRolloutRecord(source);
  if (type === "session_meta") {
    // A bare head, without an envelope, is told by what it says of the project.
    return value.payload !== undefined || "instructions" in payload || "git" in payload;
  }
  return value.payload !== undefined && TYPES.test(type);
}
