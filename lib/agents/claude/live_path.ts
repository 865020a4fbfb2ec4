/**
 * The branch of a Claude Code session that is read, root first, and what of it stands together: the
 * records of one answer with the results of its calls.
 *
 * The branch runs on behind each compaction, by the record that was the last one before it: so the
 * whole talk is shown, though the model gets what follows the last compaction.
 */
import { SessionError } from "../../event/session_error.ts";
import type { AgentReadOptions, AgentSession } from "../agent.ts";
import { type BrokenWalk, describeBroken } from "../record_tree.ts";
import { readRecordsAt } from "../records_at.ts";
import { liveLeaf, skipProgress } from "./live_leaf.ts";
import { indexRecords, type RecordIndex, type TalkNode } from "./record_index.ts";

/** A record of the branch. */
export interface PathStep {
  node: TalkNode;
  /** Not on the way to the root: it counts only as the result of a call that is. */
  sibling?: boolean;
}

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
  { needs, report, account, branch, signal, in_force = false }: AgentReadOptions,
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
    if (node.type !== "progress") last = node;
  }
  return last;
}

/** What a compaction keeps stands behind it now, though it was written before it. */
interface Kept {
  boundary: TalkNode;
  anchor_id: string;
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

/**
 * The records that compactions keep, by their id; of several compactions the last one counts. That
 * they keep more than there is, over and over, happens only in a file made to be slow.
 */
function keptRecords(index: RecordIndex): Map<string, Kept> {
  const kept = new Map<string, Kept>();
  let budget = 2 * index.nodes.length;
  for (const node of index.nodes.filter(({ boundary }) => boundary !== undefined).reverse()) {
    const anchor_id = node.boundary?.anchor_id;
    if (anchor_id === undefined || budget < 0) continue;
    for (const { id } of preservedNodes(index, node)) {
      budget--;
      if (!kept.has(id)) kept.set(id, { boundary: node, anchor_id });
    }
  }
  return kept;
}

/** The records that a compaction keeps, in their order. */
export function preservedNodes({ tree }: RecordIndex, { boundary }: TalkNode): TalkNode[] {
  if (boundary?.ids !== undefined) return boundary.ids.flatMap((id) => tree.get(id) ?? []);
  const { head_id, tail_id } = boundary ?? {};
  const segment: TalkNode[] = [];
  const seen = new Set<TalkNode>();
  let node = head_id === undefined || tail_id === undefined ? undefined : tree.get(tail_id);
  while (node !== undefined && !seen.has(node)) {
    if (node.type !== "progress") segment.push(node);
    seen.add(node);
    if (node.id === head_id) return segment.reverse();
    node = node.parent_id === undefined ? undefined : tree.get(node.parent_id);
  }
  // A segment that does not reach its head is none.
  return [];
}

function parentOf(
  index: RecordIndex,
  node: TalkNode,
  broken: BrokenWalk[],
  seen: ReadonlySet<TalkNode>,
): TalkNode | undefined {
  const { boundary, parent_id } = node;
  if (parent_id === undefined) return skipProgress(index, boundary?.logical_parent_id);
  const parent = skipProgress(index, parent_id);
  if (parent !== undefined || index.tree.has(parent_id)) return parent;
  broken.push({ code: "missing-parent", at: node.id, parent_id });
  if (broken.length > MOST_BROKEN) return undefined;
  return nearestBefore(index, node, seen);
}

/** How far before a record the one that stands in for its lost parent may lie. */
const NEAR_MS = 5000;
/** So many lost parents are no accident, and each is looked for among all records. */
const MOST_BROKEN = 200;

/** Of the records that were written before `node` the one of the latest time, if just before its own. */
function nearestBefore(
  { nodes, tree }: RecordIndex,
  node: TalkNode,
  seen: ReadonlySet<TalkNode>,
): TalkNode | undefined {
  const time = Date.parse(node.timestamp ?? "");
  let nearest: TalkNode | undefined;
  let least = NEAR_MS + 1;
  for (const other of nodes) {
    if (other.order >= node.order) break;
    if (other.type === "progress" || other.sidechain !== node.sidechain) continue;
    if (seen.has(other) || tree.get(other.id) !== other) continue;
    const distance = time - Date.parse(other.timestamp ?? "");
    if (distance < 0 || !(distance < least)) continue;
    least = distance;
    nearest = other;
  }
  return nearest;
}

/**
 * Puts to each answer all its records and the results of its calls: of those that were made at once,
 * only one leads on.
 */
export function withSiblings({ nodes, tree }: RecordIndex, chain: readonly TalkNode[]): PathStep[] {
  const answers = new Map<string, TalkNode[]>();
  const replies = new Map<string, TalkNode[]>();
  for (const { message_id } of chain) if (message_id !== undefined) answers.set(message_id, []);
  for (const node of nodes) {
    if (node.message_id === undefined || tree.get(node.id) !== node) continue;
    answers.get(node.message_id)?.push(node);
    if (answers.has(node.message_id)) replies.set(node.id, []);
  }
  for (const node of nodes) {
    if (node.type !== "user" || node.parent_id === undefined) continue;
    if (tree.get(node.id) === node) replies.get(node.parent_id)?.push(node);
  }
  const taken = new Set<TalkNode>(chain.filter(({ type }) => type !== "assistant"));
  const steps: PathStep[] = [];
  let waiting: TalkNode[] = [];
  for (const node of chain) {
    if (node.type === "assistant" && taken.has(node)) continue;
    const before = ({ order }: TalkNode): boolean => node.type !== "user" || order < node.order;
    steps.push(...waiting.filter(before).map((reply) => ({ node: reply, sibling: true })));
    waiting = waiting.filter((reply) => !before(reply));
    const answer = node.message_id === undefined ? [node] : answers.get(node.message_id) ?? [node];
    const members = answer.filter(({ sidechain }) => sidechain === node.sidechain);
    steps.push(...members.map((member) => ({ node: member })));
    if (node.type !== "assistant") continue;
    waiting = members.flatMap(({ id }) => replies.get(id) ?? []).filter((reply) =>
      !taken.has(reply)
    )
      .sort((one, other) => one.order - other.order);
    for (const member of [...members, ...waiting]) taken.add(member);
  }
  return [...steps, ...waiting.map((reply) => ({ node: reply, sibling: true }))];
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
