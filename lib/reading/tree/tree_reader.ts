/** Makes the reader of an agent whose records form a tree. */
import type { Agent } from "../../source/agent.ts";
import { readTreeTail } from "./read_tail.ts";
import { summarizeTree } from "./summarize_tree.ts";
import type { TreeFormat } from "./tree_format.ts";
import { openThreadsOfTree, readThread, threadsOfTree } from "./tree_threads.ts";
import { readTreeUsage } from "./tree_usage.ts";

/** The part of an agent that the engine derives from a format of trees. */
export type TreeReader = Required<
  Pick<
    Agent,
    "read" | "summarize" | "threads" | "openThreads" | "usage" | "readTail" | "stateFiles"
  >
>;

/** Makes the reader of a format of trees. */
export function treeReader<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
): TreeReader {
  return {
    read: (session, options) => readThread(format, session, options),
    summarize: summarizeTree(format),
    threads: (session) => threadsOfTree(format, session),
    openThreads: (session, options) => openThreadsOfTree(format, session, options),
    usage: (session) => readTreeUsage(format, session),
    readTail: (session, options) => readTreeTail(format, session, options),
    stateFiles: (session) => {
      const agents = format.subagents?.(session) ?? [];
      return Promise.resolve([session.path, ...agents.map(({ path }) => path)]);
    },
  };
}
