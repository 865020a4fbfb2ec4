/** The names of sub-agents' files. Every list needs these names, so no reader is imported here. */

const PREFIX = "agent-";
const ENDING = ".jsonl";

export function isSubagentFile(name: string): boolean {
  return name.startsWith(PREFIX) && name.endsWith(ENDING);
}

/** Returns the id of a sub-agent from the name of its file. */
export function subagentOf(name: string): string {
  return name.slice(PREFIX.length, -ENDING.length);
}
