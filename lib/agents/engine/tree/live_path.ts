/**
 * Finds the path to read through a session's records, root first: the live path, or a branch's
 * path. Each answer's records are followed by the replies to its calls and by notes.
 *
 * The path includes the records before a compaction. So the whole dialogue is shown, though the
 * model gets only what follows the last compaction.
 */
import type { Report } from "../../../core/log/diagnostic.ts";
import type { AgentReadOptions } from "../../contract/agent.ts";
import { withAsides, withPieces } from "./answer_pieces.ts";
import { type Branch, otherBranches, stepsFromRoot } from "./branches.ts";
import { indexFile, lastLeaf } from "./index_file.ts";
import { linkRepeated } from "./parent_link.ts";
import type { PathFormat, TreePath } from "./path_format.ts";
import { readRow } from "./read_steps.ts";
import { isDamaged, rowOf, rowPlace, type TreeIndex } from "./record_index.ts";
import { lastOnWay, rowOfStep, type Steps } from "./steps.ts";
import type { TreeFormat } from "./tree_format.ts";
import { branchWalker, describeBroken, parentRule } from "./walk_branch.ts";

/** A path to read: the live path, or the path of a branch. */
export interface LivePath extends TreePath {
  /** The steps in the order of the path, before `arrange` reorders them. */
  line: Steps;
  /** True if every line was parsed, so that all damage was reported. */
  thorough: boolean;
}

interface PathScope {
  /** The id of the branch's first own record. Absent for the live branch. */
  branch?: string | undefined;
  /** True to take only the records from the last compaction on. */
  in_force?: boolean | undefined;
}

export interface ThreadSource extends PathScope {
  path: string;
  /** The index of the thread's records. Absent if the file at `path` must be indexed. */
  index?: TreeIndex;
}

/**
 * Indexes a file and finds the path to read. If only some event kinds are needed and nothing is
 * counted, lines are scanned instead of parsed. If lines are damaged or the path is broken, all
 * lines are parsed.
 */
export async function findPath(
  format: TreeFormat,
  { path, index: known, ...scope }: ThreadSource,
  { needs, report, account, signal }: AgentReadOptions,
): Promise<LivePath> {
  if (known !== undefined) return pathIn(format, known, scope);
  if (format.scanner !== undefined && needs !== undefined && account === undefined) {
    const index = await indexFile(format, path, { signal }, false);
    const found = pathIn(format, index, scope);
    // The records of damaged lines must be found and reported only once.
    const is_sure = found.broken.length === 0 && !isDamaged(index);
    if (is_sure && isWhole(format, path, index, lastOnWay(found.steps))) return found;
  }
  const index = await indexFile(format, path, { report, account, signal }, true);
  return { ...pathIn(format, index, scope), thorough: true };
}

function isWhole(format: TreeFormat, path: string, index: TreeIndex, row: number): boolean {
  if (row < 0 || row === index.whole_row) return true;
  const record = readRow(format, path, index, row);
  return record !== undefined && !record.salvaged;
}

export function pathIn(
  format: PathFormat,
  index: TreeIndex,
  { branch, in_force = false }: PathScope = {},
): LivePath {
  if (branch !== undefined) linkRepeated(index);
  const live = livePath(format, index, in_force && branch === undefined);
  const { steps, broken } = branch === undefined ? live : branchPath(format, index, live, branch);
  const line = in_force && branch !== undefined ? stepsInForce(format, index, steps) : steps;
  const arranged = format.arrange?.(index, line) ?? line;
  return { index, steps: arranged, line, broken, thorough: false };
}

type Walked = Pick<LivePath, "steps" | "broken">;

function livePath(format: PathFormat, index: TreeIndex, in_force: boolean): Walked {
  const walk = branchWalker(index, format.way?.(index) ?? parentRule(index));
  const stop = in_force ? (row: number): boolean => format.isCompaction(index, row) : undefined;
  const { rows, broken } = walk(format.leaf?.(index) ?? lastLeaf(format, index), { stop });
  const steps = withPieces(format.answers, index, rows);
  if (in_force || steps.length === index.count) return { steps, broken };
  const known = new Uint8Array(index.count);
  for (const step of steps) known[rowOfStep(step)] = 1;
  return { steps: withAsides(format.isAside, index, steps, known), broken };
}

/** Returns the path of the branch whose first own record is `id`. Empty if there is none. */
function branchPath(format: PathFormat, index: TreeIndex, live: Walked, id: string): Walked {
  const branches = otherBranches(format, index, live.steps);
  const first = rowOf(index, id);
  const branch = branches.find(({ rows }) => rows[0] === first);
  if (branch === undefined) return { steps: new Int32Array(0), broken: [] };
  const steps = stepsFromRoot(format, index, live.steps, branches, branch);
  return { steps, broken: brokenTo(branches, live, branch) };
}

function brokenTo(branches: readonly Branch[], live: Walked, branch: Branch): LivePath["broken"] {
  const broken = [...branch.broken];
  for (let { parent } = branch; parent !== undefined;) {
    const left = branches[parent.branch];
    for (const one of left?.broken ?? live.broken) broken.push(one);
    parent = left?.parent;
  }
  return broken;
}

function stepsInForce(format: PathFormat, index: TreeIndex, steps: Steps): Steps {
  const from = steps.findLastIndex((step) => format.isCompaction(index, rowOfStep(step)));
  return from < 0 ? steps : steps.subarray(from);
}

export function reportBroken({ broken, index }: TreePath, report: Report | undefined): void {
  for (const walk of broken) {
    const { offset, length, line } = rowPlace(index, Math.max(0, rowOf(index, walk.at)));
    report?.({ code: walk.code, offset, length, line, detail: describeBroken(walk) });
  }
}
