/**
 * Sessions that are handed over to an agent's writer and read back with the agent's own reader:
 * what was given must be there again, once, in its order.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import fc from "npm:fast-check@4.10.2";
import { ExactNumber } from "../../lib/core/event/exact_number.ts";
import type { CallStatus, Message, Output, Part } from "../../lib/core/event/message.ts";
import type { Agent, AgentSession } from "../../lib/agents/contract/agent.ts";
import type { AgentEnvironment, AgentPlace } from "../../lib/agents/contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedMessage,
  HandedPart,
  HandedPrompt,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../../lib/agents/contract/session_writer.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import { conversationOf, locateAll, makeHome } from "../_support/agent_contract.ts";
import { PIXEL } from "../_support/handed_session.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { descriptorOf } from "../../lib/library/machine/registry.ts";
import { placeOf } from "../_support/agent_place.ts";
import { ALL_TORTURE } from "../_support/torture.ts";

/** 1 August 2026, 10 o'clock. */
export const BEGUN = Date.UTC(2026, 7, 1, 10);
/** The time of the hand-over. */
export const NOW = Date.UTC(2026, 10, 23, 6, 30, 15, 250);

/** The facts of a session; its directory is not there. */
export const START: HandedStart = {
  id: "2b3a1d4b-b74e-45d7-88ac-627aab6b7eb2",
  from: "codex:1",
  cwd: "/w",
  begun: BEGUN,
  now: NOW,
};

/** An image of one pixel. */
export const IMAGE: HandedPart = { type: "image", media_type: "image/png", data: PIXEL };

/** A part of text. */
export function said(text: string): HandedPart {
  return { type: "text", text };
}

/** The words of the user. */
export function prompt(...parts: HandedPart[]): HandedPrompt {
  return { role: "user", time: BEGUN, parts };
}

/** An answer of the model, right behind the first prompt. */
export function answer(
  text: string,
  calls: HandedCall[] = [],
  more: Partial<HandedAnswer> = {},
): HandedAnswer {
  return { role: "assistant", time: BEGUN + 1, text, reasoning: [], calls, ...more };
}

/** A call as a test writes it. */
export interface CallOptions {
  input?: Record<string, unknown>;
  output?: HandedPart[];
  status?: CallStatus;
}

/** Makes a call with its result. */
export function call(
  writer: SessionWriter,
  name: string,
  { input = {}, output = [], status = "ok" }: CallOptions = {},
): HandedCall {
  const original = { id: `old|${name}`, name: `${name}.old`, input: { was: input }, status };
  return { id: writer.newCallId(), name, input, output, failed: status !== "ok", original };
}

/** A text with all that splitters, terminals and shells take for something else. */
export const ODD_TEXT =
  'a\u2028b\u2029c\r\nd\te \u{1F469}\u200d\u{1F4BB} "q" \\u2028 \u0000 \x1b[1m <b>&';

/** A session with everything that is known to be lost or changed by someone. */
export function nastyMessages(writer: SessionWriter): HandedMessage[] {
  const numbers = { id: new ExactNumber("12345678901234567890"), ratio: new ExactNumber("1.0") };
  const shell = writer.tools.bash?.input({ command: "ls\n", description: "Lists" }) ?? { c: "ls" };
  const bash = writer.tools.bash?.name ?? "shell";
  const messages = [
    prompt(said("The conversation before was compacted into this summary:\n\nit was long")),
    prompt(said("/tmp/a.txt is a path")),
    answer(ODD_TEXT),
    prompt(said("? what"), IMAGE),
    answer("", [
      call(writer, bash, { input: shell, output: [said("a.ts\n")] }),
      call(writer, "mcp__x__find", { input: numbers, output: [] }),
      call(writer, bash, {
        input: shell,
        output: [said(`${"line of output\n".repeat(4000)}end`)],
      }),
    ]),
    answer("Now the rest.", [
      call(writer, bash, { input: shell, output: [said("exit 1")], status: "error" }),
      call(writer, bash, { input: shell, output: [said("cut"), IMAGE], status: "error" }),
      call(writer, "ask", { output: [said("aborted by nobody")], status: "skipped" }),
    ]),
    answer("", [
      call(writer, "look", { input: { path: "é\u2028.png" }, output: [said("1 image"), IMAGE] }),
    ]),
    answer("", [
      call(writer, "slow", {
        output: [said("No result was recorded: the call did not finish.")],
        status: "interrupted",
      }),
    ]),
    answer("!done"),
    prompt(said("! ls")),
    prompt(IMAGE, said(ODD_TEXT), said("second text")),
    answer("fin", [], { total_tokens: 16_000 }),
  ];
  return messages.map((message, step) => ({ ...message, time: BEGUN + step * 1000 }));
}

/** Conversations of a few messages, small and odd. */
export function anyMessages(writer: SessionWriter): fc.Arbitrary<HandedMessage[]> {
  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).map((one) => `${one}.`);
  const part = text.map(said);
  const anyCall = fc.record({
    name: fc.constantFrom("a", "b-c", "x__y", writer.tools.bash?.name ?? "sh"),
    input: fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 })),
    output: fc.array(part, { maxLength: 1 }),
    status: fc.constantFrom<CallStatus>("ok", "error", "interrupted", "skipped"),
  }).map(({ name, ...options }) => call(writer, name, options));
  const step = fc.record({
    prompts: fc.array(part, { minLength: 1, maxLength: 2 }),
    calls: fc.array(fc.array(anyCall, { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
    texts: fc.array(fc.oneof(fc.constant(""), text), { minLength: 4, maxLength: 4 }),
    last: text,
  });
  return fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => {
    const messages = steps.flatMap(({ prompts, calls, texts, last }): HandedMessage[] => [
      ...prompts.map((one) => prompt(one)),
      ...calls.map((some, index) => answer(texts[index] ?? "", some)),
      answer(last),
    ]);
    return messages.map((message, step) => ({ ...message, time: BEGUN + 1 + step }));
  });
}

/** A session that was written, in a home of its own. */
export interface Written extends AsyncDisposable {
  environment: AgentEnvironment;
  start: HandedStart;
  placement: SessionPlacement;
  text: string;
  session: AgentSession;
}

/** What a session is handed over with. */
export interface WriteOptions {
  title?: string;
  cwd?: string;
  from?: string;
}

/** Writes a session into a new home, and finds it there. */
export async function written(
  agent: Agent,
  messages: (writer: SessionWriter) => HandedMessage[],
  { title, cwd = "/home/dev/some dir.d", from = "claude:5f0c" }: WriteOptions = {},
): Promise<Written> {
  const writer = await writerOf(agent);
  const home = await makeHome({});
  const { environment } = home;
  const id = writer.newSessionId(NOW);
  const start = { ...START, id, from, cwd, ...(title === undefined ? {} : { title }) };
  const placement = writer.place(placeOf(agent.name, environment), start, join(home.path, "tmp"));
  const text = await textOf(writer, start, messages(writer));
  putFile(placement.path, text);
  for (const { path, text } of placement.beside ?? []) putFile(path, text);
  const { appended } = placement;
  if (appended !== undefined) putFile(appended.path, appended.line);
  const sessions = await locateAll(agent, environment);
  assert.deepEqual(sessions.map((one) => one.id), [id]);
  const [session] = sessions as [AgentSession];
  return {
    environment,
    start,
    placement,
    text,
    session,
    [Symbol.asyncDispose]: home[Symbol.asyncDispose],
  };
}

/** The writer of an agent. */
export async function writerOf(agent: Agent): Promise<SessionWriter> {
  const writer = await descriptorOf(agent.name).loadWriter?.();
  assert.ok(writer !== undefined, `${agent.name} has no writer`);
  return writer;
}

/** A machine on which no agent was ever used. */
export const NOWHERE: AgentPlace = {
  home: "/home/nobody",
  folder: "/home/nobody/agent",
  os: "linux",
  variable: () => undefined,
};

/** All that a writer writes of a session. */
export async function textOf(
  writer: SessionWriter,
  start: HandedStart,
  messages: readonly HandedMessage[],
): Promise<string> {
  let text = "";
  for await (const piece of writer.write(handed(start, messages), NOWHERE)) text += piece;
  return text;
}

/** A session whose messages come one after the other, and once. */
export function handed(start: HandedStart, messages: readonly HandedMessage[]): HandedSession {
  async function* inTurns(): AsyncGenerator<HandedMessage> {
    for (const message of messages) yield await Promise.resolve(message);
  }
  return { ...start, messages: inTurns() };
}

function putFile(path: string, text: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text, { createNew: true });
}

/** What an agent cannot keep as it was. */
export interface KeptForm {
  /** The texts of what the user said. */
  prompt?(parts: readonly HandedPart[]): string[];
  /** What a call gave, with its outcome. */
  result?(call: HandedCall): string;
}

/** What was handed over, one line a thing: who said what, calls with their inputs, results. */
export function handedItems(
  messages: readonly HandedMessage[],
  { prompt = (parts) => parts.map(partItem), result = resultItem }: KeptForm = {},
): string[] {
  return messages.flatMap((message) => {
    if (message.role === "user") return prompt(message.parts).map((text) => `user: ${text}`);
    const { text, calls } = message;
    return [
      ...(text === "" ? [] : [`assistant: ${text}`]),
      ...calls.map(({ name, input }) => `call: ${name} ${JSON.stringify(input)}`),
      ...calls.map((one) => `result: ${result(one)}`),
    ];
  });
}

function resultItem({ original, output }: HandedCall): string {
  return [original.status, ...output.map(partItem)].join(" ");
}

/** What a call gave in an agent that tells a failure from a success alone. */
export function failedOrNot(call: HandedCall): string {
  const status = call.failed ? "error" : "ok";
  return resultItem({ ...call, original: { ...call.original, status } });
}

/** The text that stands for a part where there are no images. */
export function textItem(part: HandedPart): string {
  return part.type === "text" ? part.text : "[image (image/png): not handed over]";
}

/** The text that stands for parts where there is one text. */
export function oneText(parts: readonly HandedPart[]): string {
  return parts.map(textItem).join("\n");
}

/** The texts of an agent that joins those which stand side by side. */
export function joinedTexts(parts: readonly HandedPart[]): string[] {
  return parts.reduce<string[]>((items, part, at) => {
    const follows = part.type === "text" && parts[at - 1]?.type === "text";
    const before = follows ? `${items.pop()}\n\n` : "";
    return [...items, `${before}${partItem(part)}`];
  }, []);
}

function partItem(part: HandedPart): string {
  return part.type === "text" ? part.text : `[${part.media_type} ${part.data}]`;
}

/** What the agent's own reader says that the agent would send, in the same lines. */
export async function readItems(agent: Agent, session: AgentSession): Promise<string[]> {
  const { messages, findings } = await conversationOf(agent, session);
  assert.deepEqual(findings ?? [], []);
  const folded = messages.flatMap(messageItems);
  const streamed: string[] = [];
  for await (const batch of agent.open(session).messages({ reasoning: "include" })) {
    streamed.push(...batch.flatMap(messageItems));
  }
  assert.deepEqual(streamed, folded);
  return folded;
}

function messageItems({ role, content }: Message): string[] {
  const parts: Part[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.filter(({ audience }) => audience !== "user").map((part) => {
    if (part.type === "text") return `${role}: ${part.text}`;
    if (part.type === "reasoning") return `reasoning: ${part.text}`;
    if (part.type === "tool_call") return `call: ${part.name} ${JSON.stringify(part.input)}`;
    if (part.type === "tool_result") {
      return [`result: ${part.status}`, ...outputItems(part.output)].join(" ");
    }
    return `${role}: [${part.media_type} ${part.data}]`;
  });
}

function outputItems(output: Output): string[] {
  if (typeof output === "string") return output === "" ? [] : [output];
  return output.filter(({ audience }) => audience !== "user").map((part) => {
    if (part.type === "text") return part.text;
    return part.type === "json" ? JSON.stringify(part.value) : `[${part.media_type} ${part.data}]`;
  });
}

/** The row that a list shows of a written session. */
export async function rowOf(agent: Agent, session: AgentSession): Promise<Summary> {
  const row = await agent.open(session).summarize();
  assert.ok(row !== undefined, "no summary");
  return row;
}

/** Whether the agent's reader takes the file for its own, and no other place is asked. */
export function isRecognized(agent: Agent, { placement, text }: Written): boolean {
  return agent.recognize(placement.path, new TextEncoder().encode(text).subarray(0, 64 * 1024));
}

/** Writes messages and reads them back: the same items, in the same order, in one line a record. */
export async function assertReadBack(
  agent: Agent,
  messages: readonly HandedMessage[],
  { form, ...options }: WriteOptions & { form?: KeptForm } = {},
): Promise<void> {
  await using made = await written(agent, () => [...messages], options);
  assert.deepEqual(await readItems(agent, made.session), handedItems(messages, form));
  assert.ok(isRecognized(agent, made));
  assert.doesNotMatch(made.text, /[\u2028\u2029\r]|\n\n/);
  assert.ok(made.text.endsWith("\n"));
}

/** The records of a text, one a line. */
export function recordsOf(text: string): Record<string, unknown>[] {
  return text.trimEnd().split("\n").map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The records that messages become. */
export async function recordsWritten(
  writer: SessionWriter,
  messages: readonly HandedMessage[],
  start: Partial<HandedStart> = {},
): Promise<Record<string, unknown>[]> {
  return recordsOf(await textOf(writer, { ...START, ...start }, messages));
}

/** Runs a test with a directory and a link to it. */
export async function withLink(
  test: (link: string, real: string) => Promise<void> | void,
): Promise<void> {
  await withDirectory(async (folder) => {
    const [link, real] = [join(folder, "link"), join(folder, "real.d")];
    await Deno.mkdir(real);
    await Deno.symlink(real, link);
    await test(link, real);
  });
}

/** A writer takes a message only when what came before was taken from it. */
async function assertStreams(writer: SessionWriter): Promise<void> {
  let taken = 0;
  async function* endless(): AsyncGenerator<HandedMessage> {
    for (; taken < 100; taken++) {
      yield await Promise.resolve({ ...prompt(said("again")), time: BEGUN + taken });
    }
  }
  const start = { ...START, id: writer.newSessionId(NOW) };
  let pieces = 0;
  for await (const piece of writer.write({ ...start, messages: endless() }, NOWHERE)) {
    assert.ok(piece !== "");
    if (++pieces === 4) break;
  }
  assert.ok(taken <= 4, `${taken} messages for four pieces`);
}

/** What is said of a writer. */
export interface WriterFacts {
  /** True if the real client was seen to resume what is written. @default {true} */
  proven?: boolean;
  /** The types of images that it takes, of {@linkcode IMAGE_TYPES}. @default {the first four} */
  images?: readonly string[];
  /** The form of its ids of calls. @default {/^call_[0-9a-f]{24}$/} */
  call_id?: RegExp;
}

const IMAGE_TYPES = ["png", "jpeg", "gif", "webp", "heic", "svg+xml", "bmp", "tiff"];

/** Registers the tests of what every writer does by itself. */
export function testWriter(
  name: string,
  writer: SessionWriter,
  {
    proven = true,
    images = IMAGE_TYPES.slice(0, 4),
    call_id = /^call_[0-9a-f]{24}$/,
  }: WriterFacts = {},
): void {
  Deno.test(`${name}: it is written as its messages come`, () => assertStreams(writer));

  Deno.test(`${name}: its proof, its images and its ids of calls`, () => {
    assert.equal(writer.proven, proven);
    const taken = IMAGE_TYPES.filter((type) => writer.takesImage?.(`image/${type}`) ?? true);
    assert.deepEqual(taken, images);
    assert.match(writer.newCallId(), call_id);
  });
}

/** What an agent's own reader says of a session that was written. */
export interface ReaderFacts {
  form?: KeptForm;
  /** The title in a list. @default {"The title"} */
  title?: (row: Summary) => string | undefined;
  /** The time of the last change in a list; absent where it is that of the file. */
  updated_at?: string;
}

/** Registers the tests of a session that is written, found, and read back. */
export function testReadBack(
  name: string,
  agent: Agent,
  { form = {}, title = () => "The title", updated_at }: ReaderFacts = {},
): void {
  Deno.test(`${name}: what was handed over reads back`, async () => {
    const messages = nastyMessages(await writerOf(agent));
    await assertReadBack(agent, messages, { form, title: "The title" });
    await assertReadBack(agent, messages, { form });
  });

  Deno.test(`${name}: any conversation reads back`, async () => {
    const any = anyMessages(await writerOf(agent));
    await fc.assert(
      fc.asyncProperty(any, (messages) => assertReadBack(agent, messages, { form })),
      { numRuns: ALL_TORTURE ? 25 : 12, seed: 65 },
    );
  });

  Deno.test(`${name}: a list has its title, its directory and its times`, async () => {
    await using made = await written(agent, nastyMessages, { title: "The title" });
    const row = await rowOf(agent, made.session);
    assert.deepEqual([row.title, row.cwd], [title(row), made.start.cwd]);
    assert.equal(row.created_at, "2026-08-01T10:00:00.000Z");
    if (updated_at !== undefined) assert.equal(row.updated_at, updated_at);
  });
}
