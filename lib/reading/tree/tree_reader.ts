/** Makes the reader of an agent whose records form a tree. */
import type { Agent } from "../../source/agent.ts";
import { type AgentReads, deriveReader } from "../session_reader.ts";
import { openThreadsOfTree } from "./open_threads.ts";
import { openTree, readThread } from "./open_tree.ts";
import { readTreeTail } from "./read_tail.ts";
import { summarizeTree } from "./summarize_tree.ts";
import type { TreeFormat } from "./tree_format.ts";
import { treeMessages } from "./tree_messages.ts";
import { threadsOfTree } from "./tree_threads.ts";
import { readTreeUsage } from "./tree_usage.ts";

/**
 * Makes an agent's `open` from a format of trees.
 *
 * @param own Reads that the agent implements by itself.
 */
export function treeReader<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  own: Partial<AgentReads> = {},
): Agent["open"] {
  return deriveReader({
    read: (session, options) => readThread(format, session, options),
    summarize: summarizeTree(format),
    openReading: (session, options) => openTree(format, session, options),
    has_lasting_places: true,
    messages: (session, options) => treeMessages(format, session, options),
    threads: (session) => threadsOfTree(format, session),
    openThreads: (session, options) => openThreadsOfTree(format, session, options),
    usage: (session) => readTreeUsage(format, session),
    readTail: (session, options) => readTreeTail(format, session, options),
    files: (session) => ({
      paths: [session.path, ...(format.subagents?.(session) ?? []).map(({ path }) => path)],
    }),
    ...own,
  });
}
