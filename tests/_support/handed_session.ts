/**
 * A conversation with all that makes a hand-over hard, and what every writer of sessions must do:
 * its own agent's reader finds every text, call and output again, in order, once.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { ExactNumber } from "../../lib/core/event/exact_number.ts";
import type { Message, Output, Part } from "../../lib/core/event/message.ts";
import { conversation } from "../../lib/core/projection/conversation/conversation.ts";
import { foldBatches } from "../../lib/core/projection/projection.ts";
import type { Agent } from "../../lib/agents/contract/agent.ts";
import type { AgentEnvironment, AgentPlace } from "../../lib/agents/contract/agent_environment.ts";
import type {
  HandedCall,
  HandedMessage,
  HandedPart,
  HandedSession,
  SessionPlacement,
  SessionWriter,
} from "../../lib/agents/contract/session_writer.ts";
import { loadLocator } from "../../lib/library/machine/locators.ts";
import { descriptorOf } from "../../lib/library/machine/registry.ts";
import { placeOf } from "./agent_place.ts";

/** A whole image of one pixel. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const BEGUN = Date.parse("2026-08-05T10:00:00.000Z");

/** Makes the messages; ids of calls are those that `writer` makes. */
export function nastyMessages(
  { newCallId }: Pick<SessionWriter, "newCallId">,
  begun: number = BEGUN,
): HandedMessage[] {
  let time = begun;
  const user = (...parts: (string | HandedPart)[]): HandedMessage => {
    const own = parts.map((part) =>
      typeof part === "string" ? { type: "text" as const, text: part } : part
    );
    return { role: "user", time: time++, parts: own };
  };
  const answer = (text: string, ...calls: HandedCall[]): HandedMessage => {
    return { role: "assistant", time: time++, text, reasoning: [], calls };
  };
  const call = (
    name: string,
    input: Record<string, unknown>,
    output: (string | HandedPart)[],
    failed = false,
  ): HandedCall => ({
    id: newCallId(),
    name,
    input,
    output: output.map((part) => typeof part === "string" ? { type: "text", text: part } : part),
    failed,
    original: { id: `was|${name}/é`, name: `${name}é`, status: failed ? "interrupted" : "ok" },
  });
  const image: HandedPart = { type: "image", media_type: "image/png", data: PIXEL };
  return [
    user("/help me: line\u2028separator, paragraph\u2029separator,\r\nCRLF and 👩‍👩‍👧‍👦"),
    user("?two messages of the user in a row", image, "behind an image"),
    answer(
      "Three calls at once.",
      call("bash", { command: "printf 'a\\0b' | cat -v; echo \u2028" }, ["a^@b\n"]),
      call("a_b-c9", { n: new ExactNumber("12345678901234567890"), nested: { list: [1, null] } }, [
        "one\ntwo",
        image,
      ]),
      call("empty", {}, []),
    ),
    answer("", call("edit", { __proto__x: 1, path: "ü.txt" }, ["No such file: ü.txt"], true)),
    answer("", call("bash", { command: "seq 1 9999" }, ["0123456789abcdef\n".repeat(3600)])),
    answer('<b>Markup</b> & "quotes" \\ backslash `code`\n\n```ts\nlet a;\n```'),
    user("[Request interrupted by user]"),
    answer("A partial answ"),
    user("The same words."),
    answer("The same words."),
    user("The same words."),
    answer(
      "",
      call("read", { input: "a string was here" }, [
        "No result was recorded: the call did not finish.",
      ], true),
    ),
    { ...answer("Nothing came of the last call."), total_tokens: 23_456 } as HandedMessage,
  ];
}

/** Puts messages into a session of a writer. */
export function handedSession(
  writer: SessionWriter,
  messages: readonly HandedMessage[],
  more: Partial<HandedSession> = {},
): HandedSession {
  const now = more.now ?? Date.now();
  return {
    id: writer.newSessionId(now),
    from: "claude:1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    cwd: "/home/ada/été",
    begun: messages[0]?.time ?? now,
    now,
    messages: given(messages),
    ...more,
  };
}

async function* given(messages: readonly HandedMessage[]): AsyncGenerator<HandedMessage> {
  yield* messages;
}

/** The facts of a machine with this home. */
export function environmentOf(home: string): AgentEnvironment {
  return { home, variable: () => undefined, os: "linux" };
}

/** Where a session was written. */
export interface WrittenSession {
  placement: SessionPlacement;
  session: HandedSession;
  text: string;
}

/** Writes a session to its place below a home, as a hand-over does. Folders are made. */
export async function writeSession(
  writer: SessionWriter,
  session: HandedSession,
  place: AgentPlace,
): Promise<WrittenSession> {
  const placement = writer.place(place, session, join(place.home, "temporary"));
  let text = "";
  for await (const piece of writer.write(session, place)) text += piece;
  for (const { path, text: own } of [...placement.beside ?? [], { path: placement.path, text }]) {
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, own, { createNew: true });
  }
  return { placement, session, text };
}

/** One thing that was said or done. Of two lists, the first difference is easily seen. */
export type Fact = readonly [what: string, ...said: unknown[]];

/** What was said and done in handed messages, in order. */
export function factsOfHanded(messages: readonly HandedMessage[]): Fact[] {
  return messages.flatMap((message): Fact[] => {
    if (message.role === "user") return message.parts.map((part) => partFact("user", part));
    const said: Fact[] = message.text === "" ? [] : [["answer", message.text]];
    const calls = message.calls.map(({ name, input }): Fact => ["call", name, jsonOf(input)]);
    const outputs = message.calls.flatMap(({ output, failed }): Fact[] => [
      ["result", failed ? "failed" : "ok"],
      ...output.map((part) => partFact("output", part)),
    ]);
    return [...said, ...calls, ...outputs];
  });
}

/** What was said and done in a conversation, in order. */
export function factsOfMessages(messages: readonly Message[]): Fact[] {
  return messages.flatMap(({ role, content }): Fact[] => {
    const who = role === "assistant" ? "answer" : role;
    const parts: readonly Part[] = typeof content === "string"
      ? [{ type: "text", text: content }]
      : content;
    return parts.flatMap((part) => factsOfPart(who, part));
  });
}

function factsOfPart(who: string, part: Part): Fact[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [[who, part.text]];
    case "tool_call":
      return [["call", part.name, jsonOf(part.input)]];
    case "tool_result":
      return [["result", part.status === "ok" ? "ok" : "failed"], ...factsOfOutput(part.output)];
    case "reasoning":
      return [["reasoning", part.text]];
    default:
      return [[`${who} ${part.type}`, part.media_type, part.data ?? part.path]];
  }
}

function factsOfOutput(output: Output): Fact[] {
  if (typeof output === "string") return output === "" ? [] : [["output", output]];
  return output.flatMap((part): Fact[] =>
    part.type === "json" ? [["output", jsonOf(part.value)]] : factsOfPart("output", part)
  );
}

function partFact(who: string, part: HandedPart): Fact {
  if (part.type === "text") return [who, part.text];
  return [`${who} image`, part.media_type, part.data];
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value);
}

/** Reads what an agent would send of the one session in a file. */
export async function conversationIn(agent: Agent, path: string): Promise<Message[]> {
  const [session, ...others] = await agent.sessionsIn(path);
  assert.ok(session !== undefined && others.length === 0, `one session in ${path}`);
  return (await foldBatches(conversation(), agent.open(session).read())).messages;
}

/** What of the round trip an agent's records cannot hold. */
export interface RoundTripLimits {
  /** Changes a fact to what the agent's reader gives of it; undefined for what it gives not at all. */
  fact?: (fact: Fact) => Fact | undefined;
}

/**
 * Writes the nasty conversation, and reads it with the agent's own reader: texts, call names, inputs
 * and outputs must come again, in order, once. The agent must also find, recognize and list it.
 */
export async function checkRoundTrip(
  agent: Agent,
  home: string,
  { fact = (one) => one }: RoundTripLimits = {},
): Promise<WrittenSession> {
  const writer = await descriptorOf(agent.name).loadWriter?.();
  assert.ok(writer !== undefined, `${agent.name} has a writer`);
  const environment = environmentOf(home);
  const messages = nastyMessages(writer);
  const session = handedSession(writer, messages, { title: "A title — mit Ümlaut" });
  const written = await writeSession(writer, session, placeOf(agent.name, environment));
  const { path } = written.placement;
  const head = (await Deno.readFile(path)).subarray(0, 64 * 1024);
  assert.ok(agent.recognize(path, head), `${agent.name} recognizes what is written`);
  const { locate } = await loadLocator(agent.name);
  const located = await Array.fromAsync(locate(environment));
  assert.deepEqual(located.map(({ id }) => id), [session.id], "it is found by its id");
  const facts = factsOfHanded(messages).flatMap((one) => {
    const own = fact(one);
    return own === undefined ? [] : [own];
  });
  assert.deepEqual(factsOfMessages(await conversationIn(agent, path)), facts);
  return written;
}
