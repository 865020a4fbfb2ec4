/**
 * Resolves the parts of files that form a thread. A fork of a paginated thread (0.169) stores only
 * its own records. Its
 * `session_meta.history_base {thread_id, end_ordinal_exclusive, end_byte_offset}` names the parent
 * thread, and the byte offset in the parent's rollout after which the fork begins. The parent may
 * be a fork itself, or be archived. Forks of legacy threads copied their parent's lines.
 *
 * Also finds rollbacks in these parts, and the compaction at which the current conversation begins.
 */
import { dirname, join } from "node:path";
import type { LinePosition } from "../../core/event/envelope.ts";
import { statFile } from "../../core/file/regular_file.ts";
import { type BytePattern, ESCAPED_LETTER, textPattern } from "../../core/log/byte_pattern.ts";
import { readOpened } from "../../core/log/byte_source.ts";
import type { Report } from "../../core/log/diagnostic.ts";
import { linesHolding } from "../../core/log/lines_holding.ts";
import { asName, asNumber, asObject } from "../engine/json.ts";
import { recordsIn } from "../engine/records/file_edges.ts";
import type { ForceStart } from "../engine/sources/record_source.ts";
import { codexHome } from "./locate.ts";
import { readRolloutHead } from "./rollout_file.ts";
import { rolloutFiles, rolloutForm } from "./rollout_files.ts";
import {
  isWholeCompaction,
  ROLLED_BACK,
  type RolloutRecord,
  toRolloutRecord,
} from "./rollout_record.ts";

/** A part of a thread that is stored in one file. The part begins at the file's start. */
export interface RolloutStretch {
  path: string;
  /** Number of bytes of the thread before this part. */
  base: number;
  /** End of this part as a byte offset in the file. Absent for the thread's own file. */
  to?: number;
  /** True if the file belongs to another thread, which this thread continues. */
  inherited: boolean;
}

interface Base {
  thread_id: string;
  end: number;
  position: LinePosition;
}

async function readBase(path: string): Promise<Base | undefined> {
  const meta = await readRolloutHead(path);
  const { thread_id, end_byte_offset } = asObject(meta?.payload.history_base);
  const id = asName(thread_id);
  const end = asNumber(end_byte_offset);
  if (id === undefined || end === undefined || meta === undefined) return undefined;
  return { thread_id: id, end: Math.max(0, Math.floor(end)), position: meta.source.position };
}

/**
 * Reads the parts of a thread, oldest first. The last part is the thread's own file. Reports a
 * missing, too short or already read parent file, with the position of the child's first record.
 */
export async function readLineage(path: string, report?: Report): Promise<RolloutStretch[]> {
  const parents: { path: string; to: number }[] = [];
  const seen = new Set([path]);
  let base = await readBase(path);
  while (base !== undefined) {
    const { thread_id, end, position } = base;
    const parent = findRollout(path, thread_id);
    const code = parent === undefined ? "missing-parent" : "parent-cycle";
    if (parent === undefined || seen.has(parent)) {
      report?.({ code, ...position, detail: `this session continues Codex session ${thread_id}` });
      break;
    }
    seen.add(parent);
    const to = Math.min(end, mostBytes(parent));
    if (to < end) {
      const detail =
        `this session continues Codex session ${thread_id} after its first ${end} bytes, but ` +
        `the file of that session has only ${to} bytes, so earlier messages may be missing`;
      report?.({ code: "missing-parent", ...position, detail });
    }
    parents.unshift({ path: parent, to });
    base = await readBase(parent);
  }
  let before = 0;
  const stretches: RolloutStretch[] = parents.map(({ path, to }) => {
    const stretch = { path, base: before, to, inherited: true };
    before += to;
    return stretch;
  });
  return [...stretches, { path, base: before, inherited: false }];
}

/** Bytes assumed for a compressed rollout, because its size is unknown. No rollout is larger. */
const MOST_UNPACKED = 2 ** 40;

function mostBytes(path: string): number {
  return rolloutForm(path) === "lines" ? statFile(path).size : MOST_UNPACKED;
}

/** Finds a thread's rollout in the folder of the rollout `near`, else in its Codex home. */
export function findRollout(near: string, id: string): string | undefined {
  const home = codexHome(near);
  const roots = home === undefined
    ? [dirname(near)]
    : [dirname(near), join(home, "sessions"), join(home, "archived_sessions")];
  for (const root of roots) {
    const file = rolloutFiles(root).get(id.toLowerCase());
    if (file !== undefined) return file;
  }
  return undefined;
}

// Finds rollbacks, and compactions that replace all before them. The search runs on bytes, because
// most threads have none. It runs from the end, because what was compacted can be most of a file.

/** Patterns of lines that may be rollbacks. Inside a JSON string, the quotes would be escaped. */
const ROLLBACKS = [textPattern('"thread_rolled_back"'), ESCAPED_LETTER];
const SIGNS = [...ROLLBACKS, textPattern('"compacted"')];

/** Finds the last full compaction or the thread's start. Undefined if all records must be read. */
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

/** True if a rollback may follow offset `from`. Always true for a compressed or document file. */
export async function mayHoldRollback(stretch: RolloutStretch, from = 0): Promise<boolean> {
  return rolloutForm(stretch.path) !== "lines" ||
    await lastRecord(stretch, ROLLBACKS, isRollback, from) !== undefined;
}

function isRollback({ type }: RolloutRecord): boolean {
  return type === ROLLED_BACK;
}

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
