/**
 * Recognizes the names of sub-agents' files. Every session list needs this, so no reader is
 * imported here.
 */

const PREFIX = "agent-";
const ENDING = ".jsonl";

export function isSubagentFile(name: string): boolean {
  return name.startsWith(PREFIX) && name.endsWith(ENDING);
}

export function subagentOf(name: string): string {
  return name.slice(PREFIX.length, -ENDING.length);
}
