/**
 * Resolves the stretches of files that form a thread. A fork of a paginated thread (0.169) holds
 * only what is new. It begins after a byte of its parent's rollout, which
 * `session_meta.history_base {thread_id, end_ordinal_exclusive, end_byte_offset}` names. The parent
 * may be a fork itself, or be archived. Forks of legacy threads copied their parent's lines.
 */
import { dirname, join } from "node:path";
import type { LinePosition } from "../../event/envelope.ts";
import type { Report } from "../../log/diagnostic.ts";
import { asName, asNumber, asObject } from "../../reading/json_value.ts";
import { readRolloutHead } from "./rollout_head.ts";
import type { RolloutStretch } from "./rollout_lines.ts";
import { rolloutFiles } from "./rollout_files.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import { codexHome } from "./session_index.ts";

/** Where a thread goes on from another. */
interface Base {
  thread_id: string;
  end: number;
  position: LinePosition;
}

/** True if a thread goes on from another one's file. */
export function isFork({ payload }: RolloutRecord): boolean {
  return asName(asObject(payload.history_base).thread_id) !== undefined;
}

async function readBase(path: string): Promise<Base | undefined> {
  const meta = await readRolloutHead(path);
  const { thread_id, end_byte_offset } = asObject(meta?.payload.history_base);
  const id = asName(thread_id);
  const end = asNumber(end_byte_offset);
  if (id === undefined || end === undefined || meta === undefined) return undefined;
  return { thread_id: id, end: Math.max(0, end), position: meta.source.position };
}

/**
 * The stretches of a thread, oldest first; the last one is its own file. What cannot be found is
 * reported, at the head that names it.
 */
export async function readLineage(path: string, report?: Report): Promise<RolloutStretch[]> {
  const stretches: RolloutStretch[] = [{ path }];
  const seen = new Set([path]);
  let base = await readBase(path);
  while (base !== undefined) {
    const { thread_id, end, position } = base;
    const parent = findRollout(path, thread_id);
    const code = parent === undefined ? "missing-parent" : "parent-cycle";
    if (parent === undefined || seen.has(parent)) {
      report?.({ code, ...position, detail: `the thread ${thread_id} that it goes on from` });
      break;
    }
    seen.add(parent);
    stretches.unshift({ path: parent, to: end });
    base = await readBase(parent);
  }
  return stretches;
}

/** The rollout of a thread, near another one: in its folder, or anywhere in its home. */
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
