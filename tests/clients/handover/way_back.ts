/** A session that comes back to its own agent: its calls are again what they were. */
import { join } from "node:path";
import type { Message } from "../../../lib/core/event/message.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { seenText } from "./carried_items.ts";
import type { ClientHome } from "./client_home.ts";
import { handOver } from "./handed_over.ts";
import type { SourceSession } from "./source_sessions.ts";

/**
 * Hands a session back to the agent that it came from; says in what the two differ. What was said
 * since is behind it.
 */
export async function lostOnTheWayBack(
  home: ClientHome,
  source: SourceSession,
  ref: string,
): Promise<string[]> {
  const library = openLibrary({
    root: join(home.home, "reprise"),
    variable: (name) => name === "HOME" ? home.home : undefined,
  });
  const before = await (await library.open(source.ref)).conversation();
  const { id } = await handOver(home, ref, source.agent);
  const after = await (await library.open(`${source.agent}:${id}`)).conversation();
  const kept = keptBy(source, ref);
  return differences(factsOf(before.messages, kept), factsOf(after.messages, kept));
}

/** What is looked at of a call. */
type Kept = "all" | "all but ids" | "outcome";

/**
 * An import takes a session as it is: no id of another agent is given again after it, and calls that
 * come back into a log of ours have the form of the agent that they were in.
 */
function keptBy({ agent }: SourceSession, ref: string): Kept {
  if (agent === "reprise") return "outcome";
  return ref.startsWith("reprise:") ? "all but ids" : "all";
}

/** What was said, and calls with their ids, names, inputs, outcomes and outputs. */
function factsOf(messages: readonly Message[], kept: Kept): string[] {
  const facts: string[] = [];
  for (const { role, content } of messages) {
    const parts = typeof content === "string"
      ? [{ type: "text", text: content } as const]
      : content;
    for (const part of parts) {
      if (part.type === "text") addText(facts, role, part.text);
      else if (part.type === "tool_call") {
        const { call_id, name, input } = part;
        const made = kept === "outcome" ? "" : ` ${name} ${JSON.stringify(input)}`;
        facts.push(`call ${kept === "all" ? call_id : ""}${made}`);
      } else if (part.type === "tool_result") {
        const { call_id, status, output } = part;
        const id = kept === "all" ? call_id : "";
        facts.push(`result ${id} ${status} ${JSON.stringify(output)}`);
      } else if (part.type !== "reasoning") facts.push(`${role} ${part.type}`);
    }
  }
  return facts;
}

function addText(facts: string[], role: string, text: string): void {
  const last = facts.at(-1);
  const plain = seenText(text.trim()).trim();
  // What the user neither wrote nor saw: the agent puts its own there.
  if (plain === "" || role === "system") return;
  if (last?.startsWith(`${role}: `) === true) facts[facts.length - 1] = `${last}\n\n${plain}`;
  else facts.push(`${role}: ${plain}`);
}

function differences(before: readonly string[], after: readonly string[]): string[] {
  return before.flatMap((fact, at) =>
    fact === after[at] ? [] : [
      `was ${fact.slice(0, 200)}, is ${after[at]?.slice(0, 200)}`,
    ]
  ).slice(0, 3);
}
