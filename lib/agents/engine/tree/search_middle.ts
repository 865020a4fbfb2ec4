/**
 * Searches the middle of a file for lines that may change the session's row in a list. A list
 * otherwise reads only the ends of the file. Lines are tested by their bytes, and not parsed.
 */
import { byteSearch } from "../../../core/log/json_bytes/byte_search.ts";
import { lineBlocksInTurns, lineIn } from "../../../core/log/line_blocks.ts";
import type { Line } from "../../../core/log/line_splitter.ts";
import { recordId, type RecordIndex, ROOT } from "./record_index.ts";

/** Maximum number of records before the first prompt. Clients write only few there. */
const MOST_ABOVE = 8;

/** Returns the ids of a record's ancestors. Undefined if the root is missing or too far away. */
export function idsAbove(index: RecordIndex, row: number): ReadonlySet<string> | undefined {
  const ids = new Set<string>();
  let parent = index.parent[row] as number;
  // Damaged records may be each other's parents.
  for (let step = 0; parent >= 0 && step < MOST_ABOVE; step++) {
    ids.add(recordId(index, parent));
    parent = index.parent[parent] as number;
  }
  return parent === ROOT ? ids : undefined;
}

type LineTest = (bytes: Uint8Array, start: number, end: number) => boolean;

export interface MiddleSearch {
  /** The field of the parent's id, with quotes and colon. It is near the start of each line. */
  parent: string;
  /** True if a record without a parent is a root of the dialogue. @default {each} */
  isRoot?: LineTest;
  isWanted: LineTest;
}

const FRONT_BYTES = 320;
const CR = 0x0d;
const CLOSING_BRACE = 0x7d;
const QUOTE = 0x22;
const decoder = new TextDecoder("latin1");

/**
 * Returns the lines needed to describe a session in a list, and the number of root records.
 * Undefined if the file is damaged, or if the first prompt may be on another branch.
 *
 * @param above The ids of the first prompt's ancestors.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function searchMiddle(
  path: string,
  above: ReadonlySet<string>,
  { parent, isRoot = () => true, isWanted }: MiddleSearch,
): Promise<{ lines: Line[]; roots: number } | undefined> {
  const findParent = byteSearch(parent);
  const followed = new Set<string>();
  const lines: Line[] = [];
  let roots = 0;
  for await (const block of lineBlocksInTurns(path)) {
    const { finder: { bytes }, feeds, end: stop } = block;
    for (let start = 0, at_feed = 0, end = 0; start < stop; start = end + 1) {
      end = feeds[at_feed++] ?? stop;
      // Damage may lead to another path, which only a whole read finds.
      const last = bytes[end - 1] === CR ? end - 2 : end - 1;
      if (end < stop && last > start && bytes[last] !== CLOSING_BRACE) return undefined;
      const at = findParent(bytes, start, Math.min(end, start + FRONT_BYTES));
      const id_start = at + parent.length + 1;
      if (at >= 0 && bytes[id_start - 1] !== QUOTE) {
        if (isRoot(bytes, start, end) && ++roots > 1) return undefined;
      } else if (at >= 0 && above.size > 0) {
        const id = decoder.decode(bytes.subarray(id_start, bytes.indexOf(QUOTE, id_start)));
        if (followed.has(id)) return undefined;
        if (above.has(id)) followed.add(id);
      }
      if (!isWanted(bytes, start, end)) continue;
      const line = lineIn(block, start, end, 0);
      lines.push({ ...line, bytes: line.bytes.slice() });
    }
  }
  return { lines, roots };
}
