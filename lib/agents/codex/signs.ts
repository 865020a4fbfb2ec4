/**
 * Finds rollbacks, and compactions that replace all before them. The search runs on bytes, because
 * most threads have none. It runs from the end, because what was compacted can be most of a file.
 */
import { type BytePattern, ESCAPED_LETTER, textPattern } from "../../log/byte_pattern.ts";
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
const ROLLBACKS = [textPattern('"thread_rolled_back"'), ESCAPED_LETTER];
const SIGNS = [...ROLLBACKS, textPattern('"compacted"')];

/** Finds where the conversation begins; undefined when only a read from the start tells. */
export async function inForceStart(
  stretches: readonly RolloutStretch[],
  signal?: AbortSignal,
): Promise<ForceStart | undefined> {
  let settled = true;
  for (const stretch of stretches.toReversed()) {
    if (rolloutForm(stretch.path) !== "lines") return undefined;
    const sign = await lastRecord(stretch, SIGNS, (record) => {
      signal?.throwIfAborted();
      // An old compaction replaces what came before it, and needs the prompts among that.
      settled &&= record.type !== "compacted" || isWholeCompaction(record);
      return isRollback(record) || isWholeCompaction(record);
    });
    if (sign !== undefined && isRollback(sign)) return undefined;
    if (sign === undefined) continue;
    const offset = stretch.base + sign.source.position.offset;
    return { position: { offset, line: 1 }, settled };
  }
  return { position: { offset: 0, line: 1 }, settled };
}

/** True if a file may hold a rollback behind a byte of it. */
export async function mayHoldRollback(stretch: RolloutStretch, from = 0): Promise<boolean> {
  return rolloutForm(stretch.path) !== "lines" ||
    await lastRecord(stretch, ROLLBACKS, isRollback, from) !== undefined;
}

function isRollback({ type }: RolloutRecord): boolean {
  return type === ROLLED_BACK;
}

/** Finds the last record that is one, among those whose lines hold a pattern. */
async function lastRecord(
  { path, to = Infinity }: RolloutStretch,
  patterns: readonly BytePattern[],
  isOne: (record: RolloutRecord) => boolean,
  from = 0,
): Promise<RolloutRecord | undefined> {
  return await readOpened(path, async (file) => {
    const range = { from, to: Math.min(to, file.statSync().size) };
    for await (const line of linesHolding(file, patterns, range)) {
      const found = recordsIn([line]).map(toRolloutRecord).find(isOne);
      if (found !== undefined) return found;
    }
    return undefined;
  });
}
