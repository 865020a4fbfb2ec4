/** What pi 1.5.2 itself makes of each sample, against what the reader makes of it. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { piAgent } from "../../../lib/agents/pi/pi_agent.ts";
import type { Message } from "../../../lib/core/event/message.ts";
import { UNANSWERED } from "../../../lib/agents/pi/header.ts";
import { conversationOf, onlySession } from "../../_support/agent_contract.ts";
import { sampleUrl, testRecorded } from "../../_support/samples.ts";

const SAMPLES = sampleUrl("pi/");

interface Golden {
  loaded?: number;
  messageCount?: number;
  roles?: string;
  first?: string;
}

function read(name: string): string | undefined {
  try {
    return Deno.readTextFileSync(new URL(name, SAMPLES));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Who pi lets speak as whom. Its system prompt is no part of our conversations. */
const SPEAKERS: Readonly<Record<string, string>> = {
  user: "user",
  custom: "user",
  branchSummary: "user",
  compactionSummary: "user",
  bashExecution: "user",
  assistant: "assistant",
  toolResult: "result",
};

function speakers(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== "tool" || typeof content === "string") return [role as string];
    return content.flatMap((part) =>
      part.type === "tool_result" && part.output !== UNANSWERED ? ["result"] : []
    );
  });
}

/** What of `theirs` is missing in `mine`; fails where it is not merely missing. */
function missing(theirs: readonly string[], mine: readonly string[]): string[] {
  const left: string[] = [];
  let at = 0;
  for (const role of theirs) {
    if (SPEAKERS[role] !== undefined && SPEAKERS[role] === mine[at]) at++;
    else left.push(SPEAKERS[role] ?? role);
  }
  assert.equal(at, mine.length, "nothing is said that pi does not say");
  return left;
}

/** How many messages of the file pi counts though they say nothing to the model. */
function silent(text: string): Record<string, number> {
  const count: Record<string, number> = { system: 0, assistant: 0, user: 0 };
  for (const line of text.split("\n")) {
    try {
      const { role, excludeFromContext, stopReason } = JSON.parse(line).message ?? {};
      if (role === "system") count.system!++;
      // pi counts an answer that failed or was stopped, and leaves it out when it sends.
      if (["error", "aborted"].includes(stopReason)) count.assistant!++;
      if (excludeFromContext === true) count.user!++;
    } catch {
      // A damaged line, which the reader is told about elsewhere.
    }
  }
  return count;
}

const goldens: Record<string, Golden> = JSON.parse(read("GOLDEN-context-pi-1.5.2.json") ?? "{}");

for (const [name, { loaded, roles, messageCount, first }] of Object.entries(goldens)) {
  const text = read(name);
  if (text === undefined) continue;
  Deno.test(`P11 golden: ${name}`, async () => {
    const session = await onlySession(piAgent, fileURLToPath(new URL(name, SAMPLES)));
    const { messages } = await conversationOf(piAgent, session);
    assert.ok(messages.length > 0);
    // What pi refuses, or never ends to read, is read.
    if (loaded === 0 || roles === undefined) return;
    const theirs = roles.split(",").slice(0, messageCount);
    const left = missing(theirs, speakers(messages));
    const allowed = silent(text);
    for (const role of new Set(left)) {
      const times = left.filter((other) => other === role).length;
      assert.ok(times <= (allowed[role] ?? 0), `${role} is missing ${times} times`);
    }
    const summary = /"role":"compactionSummary","summary":"((?:[^"\\]|\\.)*)/.exec(first ?? "")
      ?.[1];
    if (summary === undefined) return;
    assert.ok(JSON.stringify(messages[0]?.content).includes(summary));
  });
}

testRecorded(
  "golden: the samples are there",
  new URL("GOLDEN-context-pi-1.5.2.json", SAMPLES),
  () => assert.ok(Object.keys(goldens).filter((name) => read(name) !== undefined).length >= 15),
);
