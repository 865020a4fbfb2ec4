/** Finds the branch of a session to read: the live one, or the one that is asked for. */
import type { Report } from "../../log/diagnostic.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { readRecordsAt } from "../records/records_at.ts";
import { describeBroken, walkTree } from "./record_tree.ts";
import { type SideBranch, sideBranches, walkThread } from "./side_branches.ts";
import {
  followedId,
  placesOf,
  type RecordNode,
  type TreeIndex,
  type TreePath,
} from "./tree_format.ts";
import { indexFile, type IndexFormat } from "./tree_index.ts";

/** A branch, and how it was found. */
export interface FoundPath<Head> extends TreePath<Head> {
  /** True where each line was parsed: what is damaged was reported. */
  thorough: boolean;
}

/**
 * Finds the branch to read. Without an account to keep or kinds left out, a look at each line's first
 * bytes has to do. Where it leads nowhere, the lines are read whole.
 *
 * @throws {SessionError} `not-found` where there is no such branch, `ambiguous`
 */
export async function findPath<Head>(
  format: IndexFormat<Head>,
  { path }: AgentSession,
  { needs, report, account, thread, signal }: AgentReadOptions,
): Promise<FoundPath<Head>> {
  const thorough = format.scan === undefined || needs === undefined || account !== undefined;
  if (!thorough) {
    const index = await indexFile(format, path, { signal }, false);
    index.leaf = await wholeLeaf(path, index);
    const found = pathIn(index, thread);
    // What damaged lines hold is to be found and reported only once.
    if (found.broken === undefined && !index.nodes.some(({ damaged }) => damaged)) {
      return { ...found, thorough };
    }
  }
  const index = await indexFile(format, path, { report, account, signal }, true);
  return { ...pathIn(index, thread), thorough: true };
}

/** Returns a branch of an index. */
export function pathIn<Head>(index: TreeIndex<Head>, thread?: string): TreePath<Head> {
  const { tree, nodes, leaf } = index;
  const parentOf = (node: RecordNode): string | undefined => followedId(tree, node);
  const live = leaf === undefined ? { path: [] } : walkTree(tree, leaf.id, parentOf);
  return { index, ...walkThread(thread, live, nodes, tree, parentOf) };
}

/** Returns the branches beside a path. */
export function branchesBeside<Head>({ index: { nodes, tree }, path }: TreePath<Head>): SideBranch<
  RecordNode
>[] {
  return sideBranches(nodes, tree, { live: path, parentOf: (node) => followedId(tree, node) });
}

/** Reports where a branch ends before a root. */
export function reportBroken<Head>(
  { broken, index }: TreePath<Head>,
  report: Report | undefined,
): void {
  const node = broken === undefined ? undefined : index.tree.get(broken.at);
  if (broken === undefined || node === undefined) return;
  const { offset = 0, length = 0, line = 0 } = placesOf(node)[0] ?? {};
  report?.({ code: broken.code, offset, length, line, detail: describeBroken(broken) });
}

/** Finds the last record whose line is whole. */
async function wholeLeaf<Head>(
  path: string,
  { nodes }: TreeIndex<Head>,
): Promise<RecordNode | undefined> {
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as RecordNode;
    if (node.damaged) continue;
    for await (const [placed] of readRecordsAt(path, [node])) {
      if (placed?.record !== undefined && !placed.record.salvaged) return node;
    }
    node.damaged = true;
  }
  return undefined;
}
