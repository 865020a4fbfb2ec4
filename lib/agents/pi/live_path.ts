/**
 * Finds the branch of a pi session to read. It runs from the root to the last written entry, or
 * through a requested one.
 */
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { type BrokenWalk, describeBroken, walkTree } from "../../reading/tree/record_tree.ts";
import { readRecordsAt } from "../../reading/records/records_at.ts";
import { walkThread } from "../../reading/tree/side_branches.ts";
import { type EntryIndex, type EntryNode, indexEntries } from "./entry_index.ts";

/** A session's entries, and those of the branch. */
export interface LivePath {
  index: EntryIndex;
  /** Root first. */
  path: EntryNode[];
  broken?: BrokenWalk;
  /** Each line was parsed: what is damaged is known and was reported. */
  thorough: boolean;
}

/**
 * Finds the branch to read. Without an account to keep or kinds left out, one look at each line's
 * first bytes has to do; where it leads nowhere, the lines are read whole.
 */
export async function findLivePath(
  { path }: AgentSession,
  { needs, report, account, thread: branch, signal }: AgentReadOptions,
): Promise<LivePath> {
  const thorough = needs === undefined || account !== undefined;
  if (!thorough) {
    const index = await indexEntries(path, { signal }, false);
    const live = livePath(index, await wholeLeaf(path, index), branch);
    // What damaged lines hold is to be found and reported only once.
    if (live.broken === undefined && !index.nodes.some(({ damaged }) => damaged)) return live;
  }
  const index = await indexEntries(path, { report, account, signal }, true);
  return { ...livePath(index, lastWhole(index.nodes), branch), thorough: true };
}

/** The branch of an index. */
export function livePath(
  index: EntryIndex,
  leaf: EntryNode | undefined,
  branch?: string,
): LivePath {
  const live = leaf === undefined ? { path: [] } : walkTree(index.tree, leaf.id);
  return { index, ...walkThread(branch, live, index.nodes, index.tree), thorough: false };
}

/** The entry that was written last, as far as one look tells. */
export function lastWhole(nodes: readonly EntryNode[]): EntryNode | undefined {
  return nodes.findLast(({ damaged }) => !damaged);
}

/** The entry that was written last: its line must be whole, or the one before it counts. */
async function wholeLeaf(path: string, { nodes }: EntryIndex): Promise<EntryNode | undefined> {
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as EntryNode;
    if (node.damaged) continue;
    for await (const [placed] of readRecordsAt(path, [node])) {
      if (placed?.record !== undefined && !placed.record.salvaged) return node;
    }
    node.damaged = true;
  }
  return undefined;
}

/** Reports where the branch ends before a root. */
export function reportBroken(
  { broken, index }: LivePath,
  report: AgentReadOptions["report"],
): void {
  if (broken === undefined) return;
  const { offset = 0, length = 0, line = 0 } = index.tree.get(broken.at) ?? {};
  report?.({ code: broken.code, offset, length, line, detail: describeBroken(broken) });
}
