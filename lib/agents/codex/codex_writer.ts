/**
 * Writes Codex threads in the simplest form that Codex 0.169 resumes, lists and shows whole. Codex
 * 0.142 also accepts this form. Each message is written twice: as an item for the model, and as an
 * event for people. Codex lists no thread without events.
 */
import { join } from "node:path";
import { attachmentUrl } from "../../core/event/attachment.ts";
import type { ReasoningPart } from "../../core/event/message.ts";
import {
  handedJson,
  handedLine,
  handedOriginals,
  isImage,
  outputText,
} from "../engine/handed/line.ts";
import { USUAL_WRITER } from "../engine/handed/usual_writer.ts";
import { uuidV7 } from "../engine/handed/written_ids.ts";
import { asName, asObject, present } from "../engine/json.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
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
} from "../contract/session_writer.ts";

export const codexWriter: SessionWriter = {
  ...USUAL_WRITER,
  tools: {
    // Only Codex's command tool has an input like that of other agents. Codex changes files by
    // patches.
    bash: { name: "exec_command", input: ({ command }) => ({ cmd: command }) },
  },
  proven: true,
  hides: true,
  newSessionId: uuidV7,
  takesReasoning: (reasoning, { provider = "" }) =>
    provider.startsWith("openai") && isSealed(reasoning),
  place,
  write: writeRollout,
};

/**
 * Chooses the path of a thread's file. Codex makes its database rows from the files, so a new file
 * needs no row. The path has the local day and time of the thread's start
 * (codex-rs/rollout/src/recorder.rs).
 */
function place({ folder }: AgentPlace, start: HandedStart): SessionPlacement {
  const { day, time } = localTime(start.now);
  const name = `rollout-${day.join("-")}T${time.join("-")}-${start.id}.jsonl`;
  const path = join(folder, "sessions", ...day, name);
  if (start.title === undefined) return { path };
  const updated_at = new Date(start.now).toISOString();
  const row = { id: start.id, thread_name: start.title, updated_at };
  return { path, appended: { path: join(folder, "session_index.jsonl"), line: handedLine(row) } };
}

function localTime(now: number): { day: string[]; time: string[] } {
  const date = new Date(now);
  const two = (number: number): string => String(number).padStart(2, "0");
  return {
    day: [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())],
    time: [date.getHours(), date.getMinutes(), date.getSeconds()].map(two),
  };
}

// Writes the lines of a new rollout. Fields were taken away one at a time to see what version 0.169
// needs. Its head needs `id`, `timestamp`, `cwd`, `originator` and `cli_version`. Each line needs
// its `timestamp`.

/** The version of Codex that is known to resume the written files. */
const VERSION = "0.169.0";

async function* writeRollout(session: HandedSession): AsyncGenerator<string> {
  yield head(session);
  for await (const message of session.messages) yield* linesOf(message, session.from);
}

/**
 * Makes the first line of a rollout, without a model provider. Codex would resume a thread with a
 * provider only while that provider is the configured one.
 */
function head({ id, cwd, begun }: HandedSession): string {
  const payload = {
    id,
    timestamp: new Date(begun).toISOString(),
    cwd,
    originator: "codex_cli_rs",
    cli_version: VERSION,
    source: "cli",
  };
  return line(begun, "session_meta", payload);
}

function line(time: number, type: string, payload: object, originals: object = {}): string {
  const timestamp = new Date(time).toISOString();
  return handedLine({ timestamp, type, payload, ...originals });
}

function linesOf(message: HandedMessage, from: string): Iterable<string> {
  return message.role === "user" ? promptLines(message) : answerLines(message, from);
}

function* promptLines({ time, parts, hidden }: HandedPrompt): Generator<string> {
  const message = outputText(parts);
  // A list shows the first prompt. For a prompt without words, Codex shows that it is an image.
  const images = message === "" ? parts.filter(isImage).map(attachmentUrl) : [];
  const content = parts.map(inputItem);
  yield line(time, "response_item", { type: "message", role: "user", content });
  if (hidden) return;
  yield line(time, "event_msg", { type: "user_message", message, images });
}

function* answerLines(
  { time, text, reasoning, calls, total_tokens }: HandedAnswer,
  from: string,
): Generator<string> {
  for (const part of reasoning.filter(isSealed)) yield line(time, "response_item", sealed(part));
  if (text !== "") yield* saidLines(time, text);
  // Calls that were made together stand together, before the first result.
  for (const call of calls) yield callLine(time, call, from);
  for (const call of calls) yield outputLine(time, call);
  if (total_tokens !== undefined) yield countLine(time, total_tokens);
}

function* saidLines(time: number, text: string): Generator<string> {
  const content = [{ type: "output_text", text }];
  yield line(time, "response_item", { type: "message", role: "assistant", content });
  yield line(time, "event_msg", { type: "agent_message", message: text });
}

function callLine(time: number, call: HandedCall, from: string): string {
  const { id, name, input } = call;
  const payload = { type: "function_call", name, arguments: handedJson(input), call_id: id };
  return line(time, "response_item", payload, handedOriginals(from, [call]));
}

function outputLine(time: number, { id, output }: HandedCall): string {
  return line(time, "response_item", {
    type: "function_call_output",
    call_id: id,
    output: givenOutput(output),
  });
}

function givenOutput([first, ...more]: readonly HandedPart[]): string | object[] {
  if (first === undefined) return "";
  if (first.type === "text" && more.length === 0) return first.text;
  return [first, ...more].map(inputItem);
}

/**
 * Returns a line with the conversation's size in tokens. If the size exceeds the context window,
 * Codex compacts before the first prompt. The other counts are 0, so that no usage is counted.
 */
function countLine(time: number, total_tokens: number): string {
  const nothing = {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: 0,
  };
  const last_token_usage = { ...nothing, total_tokens };
  const info = { total_token_usage: nothing, last_token_usage, model_context_window: null };
  return line(time, "event_msg", { type: "token_count", info, rate_limits: null });
}

function inputItem(part: HandedPart): object {
  return part.type === "text"
    ? { type: "input_text", text: part.text }
    : { type: "input_image", image_url: attachmentUrl(part) };
}

/**
 * True if reasoning has the encrypted content that OpenAI accepts. Codex would also send reasoning
 * without this content, and each request would then fail.
 */
function isSealed({ provider_data }: ReasoningPart): boolean {
  return asName(asObject(provider_data).encrypted_content) !== undefined;
}

function sealed({ text, provider_data }: ReasoningPart): object {
  const { id, content, encrypted_content } = asObject(provider_data);
  const summary = text === "" ? [] : [{ type: "summary_text", text }];
  return present({
    type: "reasoning",
    id: asName(id),
    summary,
    content: content ?? undefined,
    encrypted_content,
  });
}
