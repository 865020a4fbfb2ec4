/**
 * Writes sessions of Claude Code, as a chain of records without branches. Version 2.1.330 resumes
 * the written sessions and shows them whole. Claude Code lists the files of a folder, so a running
 * client is not disturbed.
 */
import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { ReasoningPart } from "../../core/event/message.ts";
import { resolvedFolder } from "../engine/files/folder_match.ts";
import { handedLine, handedOriginals } from "../engine/handed/line.ts";
import { USUAL_WRITER } from "../engine/handed/usual_writer.ts";
import { hexDigits } from "../engine/handed/written_ids.ts";
import { asName, asObject, present } from "../engine/json.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedPart,
  HandedPrompt,
  HandedSession,
  HandedStart,
  SessionPlacement,
  SessionWriter,
} from "../contract/session_writer.ts";
import { projectFolder } from "./locate.ts";

export const claudeWriter: SessionWriter = {
  ...USUAL_WRITER,
  tools: {
    bash: {
      name: "Bash",
      input: ({ command, description }) => present({ command, description }),
    },
    read: {
      name: "Read",
      input: ({ path, offset, limit }) => present({ file_path: path, offset, limit }),
    },
    write: { name: "Write", input: ({ path, content }) => ({ file_path: path, content }) },
    edit: {
      name: "Edit",
      input: ({ path, old_text, new_text, all }) =>
        present({ file_path: path, old_string: old_text, new_string: new_text, replace_all: all }),
    },
  },
  proven: true,
  hides: true,
  newCallId: () => `toolu_01${hexDigits(24)}`,
  takesReasoning: (reasoning, { model = "", provider }) =>
    provider === "anthropic" && model.startsWith("claude") && isSealed(reasoning),
  place,
  write: writeTranscript,
};

/** Returns the path of a new session, in a folder named after the resolved working directory. */
function place(place: AgentPlace, { id, cwd }: HandedStart): SessionPlacement {
  const folder = projectFolder(resolvedFolder(cwd));
  return { path: join(place.folder, "projects", folder, `${id}.jsonl`) };
}

// Writes the records of a new session, each behind the one before it. A record holds all of one
// message; Claude Code itself writes one for each block. Fields were taken away one at a time to see
// what version 2.1.330 needs: `uuid`, `parentUuid`, `type` and the message's content.

/** The version of Claude Code that is known to resume the written files. */
const VERSION = "2.1.330";

/**
 * Yields the lines of a session: its messages, then the title and the last prompt. Session lists
 * read these two from the file's end.
 */
async function* writeTranscript(session: HandedSession): AsyncGenerator<string> {
  const cwd = resolvedFolder(session.cwd);
  const transcript: Transcript = { session: { ...session, cwd }, leaf: null, last_prompt: "" };
  for await (const message of session.messages) {
    if (message.role === "user") yield promptLine(transcript, message);
    else yield* answerLines(transcript, message);
  }
  yield endLines(transcript);
}

interface Transcript {
  session: HandedSession;
  /** The id of the last written record. Null before the first record. */
  leaf: string | null;
  last_prompt: string;
}

/** Returns a record as a line, in Claude Code's field order. It becomes the transcript's leaf. */
function line(
  transcript: Transcript,
  time: number,
  message: { role: "user" | "assistant"; content: string | object[] },
  { originals = {}, beside = {} }: { originals?: object; beside?: object } = {},
): string {
  const { cwd, id: sessionId } = transcript.session;
  const parentUuid = transcript.leaf;
  const uuid = crypto.randomUUID();
  transcript.leaf = uuid;
  return handedLine({
    parentUuid,
    isSidechain: false,
    userType: "external",
    cwd,
    sessionId,
    version: VERSION,
    gitBranch: "",
    type: message.role,
    message,
    ...originals,
    uuid,
    timestamp: new Date(time).toISOString(),
    ...beside,
  });
}

function promptLine(transcript: Transcript, { time, parts, hidden }: HandedPrompt): string {
  const message = { role: "user", content: promptContent(parts) } as const;
  if (hidden) return line(transcript, time, message, { beside: { isMeta: true } });
  const said = parts.flatMap((part) => part.type === "text" ? part.text : []).join(" ");
  transcript.last_prompt = shortPrompt(said) || transcript.last_prompt;
  return line(transcript, time, message);
}

/**
 * Yields an answer and the results of its calls. Names the model only if the answer has thoughts. A
 * known model would change the user's choice, and an unknown model would cause a notice.
 */
function* answerLines(transcript: Transcript, answer: HandedAnswer): Generator<string> {
  const { time, reasoning, calls, model } = answer;
  const named = model !== undefined && reasoning.some(isSealed) ? { model } : {};
  const message = {
    id: `msg_01${hexDigits(22)}`,
    type: "message",
    role: "assistant",
    ...named,
    content: answerContent(answer),
    stop_reason: calls.length > 0 ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: NOTHING_USED,
  } as const;
  const originals = handedOriginals(transcript.session.from, calls);
  yield line(transcript, time, message, { originals });
  if (calls.length === 0) return;
  const results = { role: "user" as const, content: resultContent(calls) };
  yield line(transcript, time, results, { beside: shownResult(calls) });
}

const NOTHING_USED = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

/**
 * Outputs shorter than this many bytes are written a second time, for the screen. Longer outputs
 * would double the file's size.
 */
const MOST_SHOWN_BYTES = 30_000;

/**
 * Returns the output of a single Bash call in the form that Claude Code's screen can unfold. Empty
 * for parallel calls, because a record has only one such output. Also empty for failed calls and
 * other tools.
 */
function shownResult(calls: readonly HandedCall[]): object {
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0 || call.name !== "Bash" || call.failed) return {};
  if (call.output.some(({ type }) => type !== "text")) return {};
  const stdout = call.output.flatMap((part) => part.type === "text" ? part.text : []).join("\n");
  if (Buffer.byteLength(stdout) >= MOST_SHOWN_BYTES) return {};
  return { toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false } };
}

/**
 * Returns the last lines: the title, and the last prompt with the record after which Claude Code
 * continues. Session lists read both in the file's last 64 KiB.
 */
function endLines({ session: { id: sessionId, title }, leaf, last_prompt }: Transcript): string {
  const named = { type: "custom-title", customTitle: title, sessionId };
  const prompted = { type: "last-prompt", lastPrompt: last_prompt, leafUuid: leaf, sessionId };
  return (title === undefined ? "" : handedLine(named)) +
    (leaf === null ? "" : handedLine(prompted));
}

const LONGEST_PROMPT = 200;

/** Shortens a prompt to one line, in the form in which Claude Code records the last prompt. */
function shortPrompt(text: string): string {
  // Not all of a prompt of megabytes is put on one line.
  const line = text.slice(0, 8 * LONGEST_PROMPT).replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length <= LONGEST_PROMPT
    ? line
    : `${letters.slice(0, LONGEST_PROMPT).join("").trim()}…`;
}

function promptContent(parts: readonly HandedPart[]): string | object[] {
  const [only] = parts;
  return parts.length === 1 && only?.type === "text" ? only.text : parts.map(block);
}

function answerContent({ reasoning, text, calls }: HandedAnswer): object[] {
  return [
    ...reasoning.filter(isSealed).map(thought),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
  ];
}

/** Omits `is_error` from results with an image, because the API takes only text in errors. */
function resultContent(calls: readonly HandedCall[]): object[] {
  return calls.map(({ id, output, failed }) =>
    present({
      type: "tool_result",
      tool_use_id: id,
      content: outputContent(output),
      is_error: failed && output.every(({ type }) => type === "text") ? true : undefined,
    })
  );
}

function outputContent(output: readonly HandedPart[]): string | object[] {
  return output.length === 0 ? "" : promptContent(output);
}

function block(part: HandedPart): object {
  if (part.type === "text") return { type: "text", text: part.text };
  const { media_type, data } = part;
  return { type: "image", source: { type: "base64", media_type, data } };
}

/**
 * True if reasoning has the signature or the encrypted thought that the API requires. Claude Code
 * also sends reasoning without them, and then every request fails.
 */
function isSealed({ provider_data }: ReasoningPart): boolean {
  const { type, data, signature } = asObject(provider_data);
  return asName(type === "redacted_thinking" ? data : signature) !== undefined;
}

function thought({ text, provider_data }: ReasoningPart): object {
  const { type, data, signature } = asObject(provider_data);
  return type === "redacted_thinking"
    ? { type, data }
    : { type: "thinking", thinking: text, signature };
}
