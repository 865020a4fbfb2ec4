/** Finds the records of a thread's files that a rollback removed, and what each one took. */
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { recordsIn } from "../../reading/records/file_edges.ts";
import type { RolloutStretch } from "./lineage.ts";
import { type DeadRange, isDead, isOfNoAccount, recordIds, RollbackScan } from "./rollback_scan.ts";
import { lineType } from "./rollout_line.ts";
import { rolloutLines } from "./rollout_file.ts";
import { toRolloutRecord } from "./rollout_record.ts";
import { mayHoldRollback } from "./signs.ts";

/** Part of a thread that a rollback took, with the id of the thread that it is. */
export type RolledBack = RollbackScan["ranges"][number] & { id: string };

/** Finds what was taken back, in the order of the rollbacks. */
export async function findRollbacks(stretches: readonly RolloutStretch[]): Promise<RolledBack[]> {
  for (const stretch of stretches) {
    if (await mayHoldRollback(stretch)) return (await scanFiles(stretches)).ranges;
  }
  return [];
}

/**
 * Finds what is not read of a thread.
 *
 * @param thread The main thread, or the id of what a rollback took.
 */
export async function deadRanges(
  stretches: readonly RolloutStretch[],
  thread: string,
): Promise<readonly DeadRange[]> {
  const ranges = await findRollbacks(stretches);
  const index = ranges.findIndex(({ id }) => id === thread);
  if (thread === MAIN_THREAD || index < 0) return ranges;
  // Just before that rollback, what others took before it was not there, nor what came behind it.
  return [...ranges.slice(0, index), { from: ranges[index]?.to ?? 0, to: Infinity }];
}

/**
 * Finds the thread that a record is on; undefined where no record has the id.
 *
 * @param id One of the ids that the record goes by.
 */
export async function threadWithRecord(
  stretches: readonly RolloutStretch[],
  id: string,
): Promise<string | undefined> {
  const { ranges, found } = await scanFiles(stretches, id);
  if (found === undefined) return undefined;
  return ranges.find((range) => isDead([range], found))?.id ?? MAIN_THREAD;
}

/** True if no rollback stands behind a byte of a thread's own file. */
export async function isLiveBehind(
  stretches: readonly RolloutStretch[],
  position: number,
): Promise<boolean> {
  const own = stretches.at(-1);
  return own === undefined || !await mayHoldRollback(own, Math.max(0, position - own.base));
}

async function scanFiles(
  stretches: readonly RolloutStretch[],
  wanted?: string,
): Promise<{ ranges: RolledBack[]; found: number | undefined }> {
  const scan = new RollbackScan();
  let found: number | undefined;
  for (const { path, base, to } of stretches) {
    for await (const lines of rolloutLines(to === undefined ? { path } : { path, to })) {
      for (const line of lines) {
        const type = wanted === undefined ? lineType(line.bytes) : undefined;
        if (type !== undefined && isOfNoAccount(type)) scan.count();
        else {
          for (const source of recordsIn([line])) {
            const record = toRolloutRecord(source);
            const position = base + source.position.offset;
            if (wanted !== undefined && recordIds(record).includes(wanted)) found ??= position;
            scan.take(record, position);
          }
        }
      }
    }
  }
  const ranges = scan.ranges.map((range, index) => ({
    ...range,
    id: range.id ?? `rolled-back-${index + 1}`,
  }));
  return { ranges, found };
}
