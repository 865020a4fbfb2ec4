/** The names of sub-agents' files. Every list asks for them, so no reader is imported here. */

const PREFIX = "agent-";
const ENDING = ".jsonl";

export function isSubagentFile(name: string): boolean {
  return name.startsWith(PREFIX) && name.endsWith(ENDING);
}

/** Returns the id of the sub-agent whose file has a name. */
export function subagentOf(name: string): string {
  return name.slice(PREFIX.length, -ENDING.length);
}
