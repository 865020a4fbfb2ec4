/**
 * Tells whether a session's file has several roots, as after a plan that cleared the context. Then
 * the file's first prompt may not belong to the live branch.
 */
import { textPattern } from "../../log/byte_pattern.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import { lineBlocksInTurns } from "../../log/line_blocks.ts";

const ROOT = textPattern('{"parentUuid":null,"isSidechain":false');
/** A compaction is no root: the record before it is named apart. */
const findBoundary = byteSearch('"subtype":"compact_boundary"');
const FRONT_BYTES = 800;

/**
 * True where a second root is found, or none, because the file is not written as Claude Code writes it.
 * All of the file is looked through, and nothing parsed.
 */
export async function hasOtherRoots(path: string): Promise<boolean> {
  let roots = 0;
  for await (const { finder, end } of lineBlocksInTurns(path)) {
    for (let at = finder.find(ROOT, 0, end); at >= 0; at = finder.find(ROOT, at + 1, end)) {
      if (findBoundary(finder.bytes, at, Math.min(end, at + FRONT_BYTES)) >= 0) continue;
      if (++roots > 1) return true;
    }
  }
  return roots === 0;
}
