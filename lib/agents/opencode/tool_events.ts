/**
 * Converts tool parts to events. OpenCode stores a call and its result in one part (1.18.34,
 * session/message-v2.ts, `ToolPart`).
 */
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import type { CallStatus, Output } from "../../core/event/message.ts";
import type { DiffLine } from "../../core/event/payload.ts";
import { outputFor, withFiles } from "../../core/projection/call_result.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { addCall, type ResponseDraft } from "../engine/events/response_draft.ts";
import { handedStatus } from "../engine/handed/line.ts";
import type { StoredPart } from "./stored_session.ts";
import { fileAttachment } from "./user_content.ts";

/** The text that the model gets instead of a pruned result (OpenCode's `toModelMessagesEffect`). */
const PRUNED_OUTPUT = "[Old tool result content cleared]";
/** The text that the model gets for an unanswered call (OpenCode's `toModelMessagesEffect`). */
export const INTERRUPTED_ERROR = "[Tool execution was interrupted]";

interface CallPlace {
  draft: ResponseDraft;
  by_user: boolean;
  turn_id?: string | undefined;
  /** The fallback for events that have no time of their own. */
  time?: unknown;
}

interface Outcome {
  status: CallStatus;
  output?: Output | undefined;
  error?: string | undefined;
  truncated?: boolean | undefined;
}

/** Adds a call to its response. Returns a function that writes the call's result and diffs. */
export function takeTool(writer: EventWriter, part: StoredPart, place: CallPlace): () => void {
  const state = asObject(part.data.state);
  const time = asObject(state.time);
  const { turn_id, draft } = place;
  const began: EventOrigin = { id: part.id, time: time.start ?? place.time, turn_id };
  const ended: EventOrigin = { ...began, time: time.end ?? began.time };
  const call_id = asName(part.data.callID) ?? part.id;
  const told = handedStatus(asObject(state.metadata), call_id);
  const found = outcomeOf(state);
  const outcome = told === undefined ? found : { ...found, status: told };
  // A session that was handed over does not say how long its calls took.
  const timing = present({ duration_ns: told === undefined ? durationOf(time) : undefined });
  const shell = shellCommand(part.data, state);
  const name = asText(part.data.tool) ?? "";
  const own = place.by_user && shell !== undefined;
  const call = present({ call_id, name, input: state.input ?? {}, caption: asName(state.title) });
  if (!own) addCall(draft, call, shell);
  return () => {
    if (shell === undefined) {
      writer.emit("tool_end", present({ call_id, name, ...outcome, ...timing }), ended);
    } else {
      const said = present({ call_id, ...shell });
      if (own) writer.emit("bash_start", { ...said, ...inputOf(state), origin: "user" }, began);
      const end = present({ ...said, ...bashOutcome(outcome, state), ...timing });
      writer.emit("bash_end", end, ended);
    }
    writeDiffs(writer, call_id, state, ended);
  };
}

function inputOf({ input }: Json): { input?: unknown } {
  return Object.keys(asObject(input)).length > 1 ? { input } : {};
}

function shellCommand(
  data: Json,
  state: Json,
): { command: string; summary?: string } | undefined {
  if (data.tool !== "bash") return undefined;
  const { command, description, ...rest } = asObject(state.input);
  if (typeof command !== "string" || Object.keys(rest).length > 0) return undefined;
  return present({ command, summary: asName(description) });
}

function outcomeOf(state: Json): Outcome {
  const { status, metadata } = state;
  if (status === "error") {
    const { interrupted, output } = asObject(metadata);
    // Then the model gets what there was of the output, and not the error.
    if (interrupted === true && typeof output === "string") {
      return { status: "interrupted", output };
    }
    const error = asText(state.error) ?? "";
    return { status: interrupted === true ? "interrupted" : "error", error };
  }
  if (status === "pending" || status === "running") {
    return { status: "interrupted", error: INTERRUPTED_ERROR };
  }
  // `success` is how a fixture of another reader spells `completed`; unknown ones have a result too.
  const truncated = asObject(metadata).truncated === true ? true : undefined;
  const output = withAttachments(asText(state.output) ?? "", state);
  return { status: "ok", output: isPruned(state) ? pruned(output) : output, truncated };
}

function pruned(output: Output): Output {
  const parts = typeof output === "string" ? [{ type: "text" as const, text: output }] : output;
  return [
    ...parts.map((part) => ({ ...part, audience: "user" as const })),
    { type: "text", text: PRUNED_OUTPUT, audience: "model" },
  ];
}

/**
 * Adds attachments after the text. If a model takes no images in results, OpenCode itself sends the
 * images as a user message.
 */
function withAttachments(text: string, { attachments }: Json): Output {
  return withFiles(text, asList(attachments).map(asObject).map(fileAttachment)) ?? "";
}

function isPruned(state: Json): boolean {
  const { compacted } = asObject(state.time);
  return state.status === "completed" && compacted !== undefined && compacted !== null &&
    compacted !== 0;
}

/** Adds the exit code from the metadata of a `bash` result (1.18.34, src/tool/shell.ts). */
function bashOutcome(
  outcome: Outcome,
  state: Json,
): Outcome & { exit_code?: number } {
  const exit_code = asNumber(asObject(state.metadata).exit);
  const { status, output } = outcome;
  if (exit_code === undefined || status !== "ok") return outcome;
  // OpenCode does not tell the model the exit code.
  const sent = Array.isArray(output) ? output : outputFor({ output, exit_code }, output ?? "");
  return { ...outcome, output: sent, exit_code, status: exit_code === 0 ? "ok" : "error" };
}

function durationOf({ start, end }: Json): number | undefined {
  const began = asNumber(start);
  const ended = asNumber(end);
  if (began === undefined || ended === undefined || ended < began) return undefined;
  return Math.round((ended - began) * 1e6);
}

/**
 * Writes the diffs of a call. `edit` stores one diff, and `apply_patch` stores one for each file
 * (1.18.34, src/tool/*.ts).
 */
function writeDiffs(
  writer: EventWriter,
  call_id: string,
  state: Json,
  origin: EventOrigin,
): void {
  for (const { path, diff } of diffsOf(state)) {
    const lines = writer.wants("diff") ? parseUnifiedDiff(diff) : [];
    writer.emit("diff", present({ call_id, path, lines }), origin);
  }
}

function diffsOf(state: Json): { path?: string | undefined; diff: string }[] {
  const { diff, files, filediff, filepath } = asObject(state.metadata);
  const perFile = asList(files).map(asObject).flatMap((file) => {
    const text = asName(file.patch) ?? asName(file.diff);
    const path = asName(file.movePath) ?? asName(file.filePath) ?? asName(file.relativePath);
    return text === undefined ? [] : [{ path, diff: text }];
  });
  if (perFile.length > 0) return perFile;
  const text = asName(diff) ?? asName(asObject(filediff).patch);
  if (text === undefined) return [];
  const path = asName(asObject(state.input).filePath) ?? asName(asObject(filediff).file) ??
    asName(filepath);
  return [{ path, diff: text }];
}

// Reads the unified diff of one file. The tools `edit`, `patch` and `apply_patch` keep it in their
// metadata (OpenCode 1.18.34, src/tool/edit.ts: `createTwoFilesPatch` of the package `diff`).

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;
/** Matches the lines of a diff that come before the first hunk and name the file. */
const HEADER = /^(Index: |===|--- |\+\+\+ |diff |index |new file|deleted file|similarity|rename )/;

/** Parses a unified diff. Lines outside of hunks get no line numbers, and headers are dropped. */
function parseUnifiedDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = [];
  let at: { old: number; new: number } | undefined;
  for (const line of diff.replace(/\r?\n$/, "").split(/\r?\n/)) {
    const hunk = HUNK.exec(line);
    if (hunk !== null) {
      at = { old: Number(hunk[1]), new: Number(hunk[2]) };
      lines.push({ kind: "hunk", content: line });
    } else if (at !== undefined) {
      lines.push(numbered(line, at));
    } else if (!HEADER.test(line) && line !== "") {
      lines.push({ kind: "context", content: line });
    }
  }
  return lines;
}

function numbered(line: string, at: { old: number; new: number }): DiffLine {
  const content = line.slice(1);
  if (line.startsWith("+")) return { kind: "added", new: at.new++, content };
  if (line.startsWith("-")) return { kind: "removed", old: at.old++, content };
  // `\ No newline at end of file` is no line of either file.
  if (line.startsWith("\\")) return { kind: "context", content: line };
  return { kind: "context", old: at.old++, new: at.new++, content };
}
