/** A session that comes back to its own agent: its calls are again what they were. */
import { join } from "node:path";
import type { Message } from "../../../lib/event/message.ts";
import { openLibrary } from "../../../lib/library/mod.ts";
import { seenText } from "./carried_items.ts";
import type { ClientHome } from "./client_home.ts";
import { handOver } from "./handed_over.ts";
import type { SourceSession } from "./source_sessions.ts";

/** Hands a session back to the agent that it came from; says in what the two differ. */
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
  return differences(factsOf(before.messages), factsOf(after.messages));
}

/** What was said, and calls with their ids, names, inputs, outcomes and outputs. */
function factsOf(messages: readonly Message[]): string[] {
  const facts: string[] = [];
  for (const { role, content } of messages) {
    const parts = typeof content === "string"
      ? [{ type: "text", text: content } as const]
      : content;
    for (const part of parts) {
      if (part.type === "text") addText(facts, role, part.text);
      else if (part.type === "tool_call") {
        facts.push(`call ${part.call_id} ${part.name} ${JSON.stringify(part.input)}`);
      } else if (part.type === "tool_result") {
        const { call_id, status, output } = part;
        facts.push(`result ${call_id} ${status} ${JSON.stringify(output)}`);
      } else if (part.type !== "reasoning") facts.push(`${role} ${part.type}`);
    }
  }
  return facts;
}

function addText(facts: string[], role: string, text: string): void {
  const last = facts.at(-1);
  const plain = seenText(text.trim()).trim();
  // What the user neither wrote nor saw: the agent puts its own there.
  if (plain === "" || role === "system" || text.startsWith("<environment_context>")) return;
  if (last?.startsWith(`${role}: `) === true) facts[facts.length - 1] = `${last}\n\n${plain}`;
  else facts.push(`${role}: ${plain}`);
}

function differences(before: readonly string[], after: readonly string[]): string[] {
  const all = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at);
  return all.filter((at) => before[at] !== after[at]).slice(0, 3)
    .map((at) => `was ${before[at]?.slice(0, 200)}, is ${after[at]?.slice(0, 200)}`);
}
