/**
 * Which records of a Claude Code session stand together: those of one answer, and the results of its
 * calls.
 */
import type { RecordIndex } from "./record_index.ts";
import type { TalkNode } from "./talk_node.ts";

/** A record of the branch. */
export interface PathStep {
  node: TalkNode;
  /** Not on the way to the root: it counts only as the result of a call that is. */
  sibling?: boolean;
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
    if (waiting.length > 0) {
      const before = ({ order }: TalkNode): boolean => node.type !== "user" || order < node.order;
      steps.push(...waiting.filter(before).map((reply) => ({ node: reply, sibling: true })));
      waiting = waiting.filter((reply) => !before(reply));
    }
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
