/**
 * In which files the texts of another agent's session stand word for word, as JSON: there bytes can
 * tell what cannot be in them. Of all others only their reader can tell, such as of a database, whose
 * pages cut texts anywhere, of a history in Markdown, or where a reader joins texts to one word.
 */
import { readLineage } from "../agents/codex/lineage.ts";
import type { AgentName } from "../event/agent_name.ts";
import type { SearchSource } from "./search_source.ts";

const VERBATIM: ReadonlySet<string> = new Set<AgentName>(["claude", "codex", "pi"]);

/** What a reader says in words of its own around those of the file. */
const ADDED: Readonly<Partial<Record<string, Uint8Array>>> = {
  // `entry_events.ts` of pi: a summary, and a command that the user ran.
  pi: new TextEncoder().encode(
    "The following is a summary of a branch that this conversation came back from: " +
      "The conversation history before this point was compacted into the following summary: " +
      "Ran (no output) (command cancelled) Command exited with code " +
      "Output truncated. Full output: ",
  ),
};

/** Words that no file of an agent's needs to hold, though they stand in its sessions. */
export function addedWords({ agent }: SearchSource): Uint8Array | undefined {
  return ADDED[agent];
}

/** Neither a folder nor compressed. */
const PLAIN = /\.jsonl?$/;

/** The files that hold all texts of a session word for word; undefined where bytes do not tell. */
export async function verbatimFiles(
  { agent, path }: SearchSource,
): Promise<readonly string[] | undefined> {
  if (!VERBATIM.has(agent) || !PLAIN.test(path)) return undefined;
  // A thread of Codex that goes on from another one has only what is new in its own file.
  const files = agent === "codex" ? (await readLineage(path)).map((part) => part.path) : [path];
  return files.every((file) => PLAIN.test(file)) ? files : undefined;
}
