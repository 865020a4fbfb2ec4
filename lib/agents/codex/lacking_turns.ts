/**
 * Compares the turns of a paginated rollout with the turns in Codex's history database (0.169).
 * Codex's app shows threads from that database. Codex adds appended records to the database only
 * when it opens the thread. So only turns before the offset up to which Codex has read are
 * compared.
 */
import { textPattern } from "../../core/log/byte_pattern.ts";
import { readOpened } from "../../core/log/byte_source.ts";
import { linesHolding } from "../../core/log/lines_holding.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { listFolder } from "../engine/files/folder.ts";
import { asName, asNumber, asObject } from "../engine/json.ts";
import { recordsIn } from "../engine/records/file_edges.ts";
import { SqliteReader } from "../engine/sqlite/sqlite_reader.ts";
import { rolloutForm } from "./rollout_files.ts";

/** A thread's turns in the database, and the offset up to which Codex has read the rollout. */
interface ProjectedThread {
  to: number;
  turns: Set<string>;
}

/** Returns the newest history database's threads by lower-case id. Empty if it is unreadable. */
export function projectedThreads(folder: string): ReadonlyMap<string, ProjectedThread> {
  const numberOf = (name: string): number =>
    Number(/^thread_history_(\d+)\.sqlite$/.exec(name)?.[1]);
  const path = listFolder(folder).filter(({ name, isFile }) => isFile && numberOf(name) >= 0)
    .sort((one, other) => numberOf(one.name) - numberOf(other.name)).at(-1)?.path;
  const threads = new Map<string, ProjectedThread>();
  if (path === undefined) return threads;
  try {
    using reader = new SqliteReader(path);
    const [states, turns] = ["thread_history_projection_state", "thread_turns"];
    if (!reader.has(states, "thread_id", "next_rollout_byte_offset")) return threads;
    if (!reader.has(turns, "thread_id", "turn_id")) return threads;
    const sql = `SELECT thread_id, next_rollout_byte_offset FROM ${states}`;
    for (const row of reader.all(sql)) {
      const to = asNumber(row.next_rollout_byte_offset) ?? 0;
      threads.set(String(row.thread_id).toLowerCase(), { to, turns: new Set() });
    }
    for (const row of reader.all(`SELECT thread_id, turn_id FROM ${turns}`)) {
      threads.get(String(row.thread_id).toLowerCase())?.turns.add(String(row.turn_id));
    }
    return threads;
  } catch (error) {
    // Locked or damaged: nothing is known.
    if (error instanceof SessionError) return new Map();
    throw error;
  }
}

const STARTED = textPattern('"task_started"');
const ROLLED_BACK = textPattern('"thread_rolled_back"');

/**
 * Counts the rollout's turns, and those that the database lacks. Undefined if no turn is lacking,
 * or if the rollout is compressed or has a rollback.
 */
export async function lackingTurns(
  path: string,
  { to, turns }: ProjectedThread,
): Promise<{ lacking: number; all: number } | undefined> {
  if (rolloutForm(path) !== "lines") return undefined;
  const started = await readOpened(path, async (file) => {
    const found = new Set<string>();
    const end = Math.min(to, file.statSync().size);
    for await (const line of linesHolding(file, [STARTED, ROLLED_BACK], { to: end })) {
      for (const { value } of recordsIn([line])) {
        const { type, turn_id } = asObject(value.payload);
        // Turns that were taken back are in no list.
        if (type === "thread_rolled_back") return undefined;
        const id = type === "task_started" ? asName(turn_id) : undefined;
        if (id !== undefined) found.add(id);
      }
    }
    return found;
  });
  if (started === undefined) return undefined;
  const lacking = [...started].filter((id) => !turns.has(id)).length;
  return lacking === 0 ? undefined : { lacking, all: started.size };
}
