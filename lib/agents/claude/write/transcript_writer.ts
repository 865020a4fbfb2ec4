/**
 * Writes the records of a new session, each behind the one before it. A record holds all of one
 * message; Claude Code itself writes one for each block. Fields were taken away one at a time to see
 * what version 2.1.330 needs: `uuid`, `parentUuid`, `type` and the message's content.
 */
import { Buffer } from "node:buffer";
import { resolvedFolder } from "../../../reading/files/folder_match.ts";
import { handedLine, handedOriginals } from "../../../reading/handed/handed_line.ts";
import { hexDigits } from "../../../reading/handed/written_ids.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedPrompt,
  HandedSession,
} from "../../../source/session_writer.ts";
import { answerContent, isSealed, promptContent, resultContent } from "./message_content.ts";

/** The version that was seen to resume these files. */
const VERSION = "2.1.330";

/** Writes a session: its messages as they come, then what lists read from a file's end. */
export async function* writeTranscript(session: HandedSession): AsyncGenerator<string> {
  const cwd = resolvedFolder(session.cwd);
  const transcript: Transcript = { session: { ...session, cwd }, leaf: null, last_prompt: "" };
  for await (const message of session.messages) {
    if (message.role === "user") yield promptLine(transcript, message);
    else yield* answerLines(transcript, message);
  }
  yield endLines(transcript);
}

/** The state between one record and the next. */
interface Transcript {
  session: HandedSession;
  /** The id of the record before; null before the first. */
  leaf: string | null;
  last_prompt: string;
}

/** A record; its fields stand in the order in which Claude Code writes them. */
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

function promptLine(transcript: Transcript, { time, parts }: HandedPrompt): string {
  const said = parts.flatMap((part) => part.type === "text" ? part.text : []).join(" ");
  transcript.last_prompt = shortPrompt(said) || transcript.last_prompt;
  return line(transcript, time, { role: "user", content: promptContent(parts) });
}

/**
 * An answer and the results of its calls. A model is named only with its thoughts: a known one
 * changes the one that the user chose, and of an unknown one there is a notice.
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

/** Longer outputs would make the file twice as large. */
const MOST_SHOWN_BYTES = 30_000;

/**
 * What the screen can unfold of a command's output. There is one for a record, so that parallel
 * calls have none; other tools have other forms.
 */
function shownResult(calls: readonly HandedCall[]): object {
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0 || call.name !== "Bash" || call.failed) return {};
  if (call.output.some(({ type }) => type !== "text")) return {};
  const stdout = call.output.flatMap((part) => part.type === "text" ? part.text : []).join("\n");
  if (Buffer.byteLength(stdout) >= MOST_SHOWN_BYTES) return {};
  return { toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false } };
}

/** The title and the place where the session goes on: a list looks for them in the last 64 KiB. */
function endLines({ session: { id: sessionId, title }, leaf, last_prompt }: Transcript): string {
  const named = { type: "custom-title", customTitle: title, sessionId };
  const prompted = { type: "last-prompt", lastPrompt: last_prompt, leafUuid: leaf, sessionId };
  return (title === undefined ? "" : handedLine(named)) +
    (leaf === null ? "" : handedLine(prompted));
}

const LONGEST_PROMPT = 200;

/** A prompt as Claude Code keeps the last one: on one line, and cut. */
function shortPrompt(text: string): string {
  // Not all of a prompt of megabytes is put on one line.
  const line = text.slice(0, 8 * LONGEST_PROMPT).replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length <= LONGEST_PROMPT
    ? line
    : `${letters.slice(0, LONGEST_PROMPT).join("").trim()}…`;
}
