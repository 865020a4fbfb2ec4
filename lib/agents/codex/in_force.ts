/**
 * Finds where a thread's conversation begins: its newest compaction that replaces all before it.
 * The search runs from the end, because earlier ones can be most of a file. It runs on bytes,
 * because most threads have none.
 */
import { ESCAPED_LETTER, textPattern } from "../../log/byte_pattern.ts";
import { readOpened } from "../../log/byte_source.ts";
import { linesHolding } from "../../log/lines_holding.ts";
import { recordsIn } from "../../reading/records/file_edges.ts";
import type { ForceStart } from "../../reading/sources/record_source.ts";
import type { RolloutStretch } from "./lineage.ts";
import { rolloutForm } from "./rollout_files.ts";
import {
  isWholeCompaction,
  ROLLED_BACK,
  type RolloutRecord,
  toRolloutRecord,
} from "./rollout_record.ts";

/** In a text their quotes would be escaped. */
const PATTERNS = [
  textPattern('"thread_rolled_back"'),
  textPattern('"compacted"'),
  ESCAPED_LETTER,
];

/** Finds the position; undefined when only a read from the start tells, because of a rollback. */
export async function inForceStart(
  stretches: readonly RolloutStretch[],
  signal?: AbortSignal,
): Promise<ForceStart | undefined> {
  let settled = true;
  for (const stretch of stretches.toReversed()) {
    if (rolloutForm(stretch.path) !== "lines") return undefined;
    const found = await lastSign(stretch, signal);
    settled &&= !found.replaces;
    if (found.record?.type === ROLLED_BACK) return undefined;
    if (found.record === undefined) continue;
    const offset = stretch.base + found.record.source.position.offset;
    return { position: { offset, line: 1 }, settled };
  }
  return { position: { offset: 0, line: 1 }, settled };
}

/** Finds the last rollback or whole compaction of a stretch. */
async function lastSign(
  { path, to = Infinity }: RolloutStretch,
  signal: AbortSignal | undefined,
): Promise<{ record?: RolloutRecord; replaces: boolean }> {
  return await readOpened(path, async (file) => {
    // An old compaction replaces what came before it, and needs the prompts among that.
    let replaces = false;
    const end = Math.min(to, file.statSync().size);
    for await (const line of linesHolding(file, PATTERNS, { to: end })) {
      signal?.throwIfAborted();
      for (const record of recordsIn([line]).map(toRolloutRecord)) {
        const { type } = record;
        if (type === ROLLED_BACK || isWholeCompaction(record)) return { record, replaces };
        replaces ||= type === "compacted";
      }
    }
    return { replaces };
  });
}
