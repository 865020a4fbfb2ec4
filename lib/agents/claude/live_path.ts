/**
 * The branch of a Claude Code session that is read, root first, and what of it stands together: the
 * records of one answer with the results of its calls.
 *
 * The branch runs on behind each compaction, by the record that was the last one before it: so the
 * whole talk is shown, though the model gets what follows the last compaction.
 */
import { SessionError } from "../../event/session_error.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { type BrokenWalk, describeBroken } from "../record_tree.ts";
import { readRecordsAt } from "../records_at.ts";
import { type PathStep, withSiblings } from "./answer_siblings.ts";
import { followParent, isPassing, liveLeaf } from "./live_leaf.ts";
import { nearestBefore } from "./nearest_before.ts";
import { keptRecords } from "./preserved.ts";
import { indexRecords, type RecordIndex } from "./record_index.ts";
import type { TalkNode } from "./talk_node.ts";

/** A session's records, and those of the branch. */
export interface LivePath {
  index: RecordIndex;
  steps: PathStep[];
  broken: BrokenWalk[];
  /** Each line was parsed: what is damaged is known and was reported. */
  thorough: boolean;
}

/**
 * Finds the branch to read. Without an account to keep or kinds left out, one look at each line's
 * ends has to do; where it leads nowhere, the lines are read whole.
 */
export async function findLivePath(
  { path }: AgentSession,
  { needs, report, account, thread: branch, signal, in_force = false }: AgentReadOptions,
  thorough = needs === undefined || account !== undefined,
): Promise<LivePath> {
  const scope = { branch, in_force };
  if (!thorough) {
    const index = await indexRecords(path, { signal }, false);
    const live = livePath(index, scope);
    // What damaged lines hold is to be found and reported only once.
    const damaged = live.broken.length > 0 || index.nodes.some((node) => node.damaged);
    if (!damaged && await isWhole(path, live.steps.findLast(({ sibling }) => !sibling))) {
      return live;
    }
  }
  const index = await indexRecords(path, { report, account, signal }, true);
  return { ...livePath(index, scope), thorough: true };
}

/** Whether the record of a step is what its line's ends told of. */
async function isWhole(path: string, step: PathStep | undefined): Promise<boolean> {
  if (step === undefined) return true;
  for await (const [placed] of readRecordsAt(path, [step.node])) {
    return placed?.record?.value.uuid === step.node.id && !placed.record.salvaged;
  }
  return false;
}

/** What to read of a session. */
export interface PathScope {
  /** A record on the branch, if it is not the live one. */
  branch?: string | undefined;
  /** Only from the last compaction on. */
  in_force?: boolean;
}

/** The branch of an index. */
export function livePath(
  index: RecordIndex,
  { branch, in_force = false }: PathScope = {},
): LivePath {
  const leaf = branch === undefined ? liveLeaf(index) : lastBelow(index, branch);
  const broken: BrokenWalk[] = [];
  const chain = leaf === undefined ? [] : walkTalk(index, leaf, broken, in_force);
  return { index, steps: withSiblings(index, chain), broken, thorough: false };
}

/** The last record, in the order of the file, that descends from the record `id`, or is it. */
function lastBelow({ nodes, tree }: RecordIndex, id: string): TalkNode {
  let last = tree.get(id);
  if (last === undefined) {
    throw new SessionError("not-found", `Cannot read branch: no record "${id}"`, { ref: id });
  }
  const below = new Set([id]);
  for (const node of nodes) {
    if (node.parent_id === undefined || !below.has(node.parent_id)) continue;
    below.add(node.id);
    if (!isPassing(node)) last = node;
  }
  return last;
}

/** The records from the root, or from the last compaction, to the leaf. */
function walkTalk(
  index: RecordIndex,
  leaf: TalkNode,
  broken: BrokenWalk[],
  in_force: boolean,
): TalkNode[] {
  const path: TalkNode[] = [];
  const seen = new Set<TalkNode>();
  const kept = keptRecords(index);
  let node: TalkNode | undefined = leaf;
  while (node !== undefined) {
    const moved = kept.get(node.id);
    if (moved !== undefined && !seen.has(moved.boundary) && moved.boundary.order > node.order) {
      node = index.tree.get(moved.anchor_id) ?? moved.boundary;
      if (seen.has(node)) node = moved.boundary;
    }
    path.push(node);
    seen.add(node);
    if (in_force && node.boundary !== undefined) break;
    const next = parentOf(index, node, broken, seen);
    if (next !== undefined && seen.has(next)) {
      broken.push({ code: "parent-cycle", at: node.id, parent_id: next.id });
      break;
    }
    node = next;
  }
  return path.reverse();
}

/** So many lost parents are no accident, and each is looked for among all records. */
const MOST_BROKEN = 200;

function parentOf(
  index: RecordIndex,
  node: TalkNode,
  broken: BrokenWalk[],
  seen: ReadonlySet<TalkNode>,
): TalkNode | undefined {
  const { boundary } = node;
  const parent_id = node.parent_id ?? boundary?.logical_parent_id;
  const { node: parent, lost_id } = followParent(index, parent_id);
  if (parent === undefined && lost_id === undefined) return undefined;
  if (node.parent_id === undefined) {
    // A fork begins at its compaction: what stood before is not there, or stands behind it now.
    if (parent === undefined ? node.order === 0 : parent.order > node.order) return undefined;
  }
  if (lost_id === undefined) return parent;
  broken.push({ code: "missing-parent", at: node.id, parent_id: lost_id });
  if (broken.length > MOST_BROKEN) return undefined;
  return nearestBefore(index, node, seen);
}

/** Reports where the branch lost its way. */
export function reportBroken(
  { broken, index }: LivePath,
  report: AgentReadOptions["report"],
): void {
  for (const walk of broken) {
    const { offset = 0, length = 0, line = 0 } = index.tree.get(walk.at) ?? {};
    report?.({ code: walk.code, offset, length, line, detail: describeBroken(walk) });
  }
}
