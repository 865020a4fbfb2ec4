/** Converts the results of Cline's calls to events, with the lines that edits changed. */
import type { AttachmentPart, CallStatus, Output, TextPart } from "../../core/event/message.ts";
import type { DiffLine } from "../../core/event/payload.ts";
import { outputFor, withFiles } from "../../core/projection/call_result.ts";
import { blocksOf, toPart } from "../engine/events/anthropic_blocks.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { callIdOf, imageParts } from "../engine/events/sdk_items.ts";
import { wholeFileLines } from "../engine/events/unified_diff.ts";
import { present } from "../../core/event/present.ts";
import { asList, asName, asObject, asText, type Json, parsedJson } from "../engine/json.ts";

export interface ClineCall {
  name: string;
  input: unknown;
  command: string | undefined;
  /** Present if the model wrote the call as text. Then the call is shown only to people. */
  audience?: "user";
  /** The call's outcome, as known before the session was handed over to Cline. */
  told?: CallStatus | undefined;
}

export function emitCallResult(
  block: Json,
  calls: Map<string, ClineCall>,
  { writer, origin }: EventTarget,
): void {
  const call_id = callIdOf(block, "");
  const call = calls.get(call_id);
  calls.delete(call_id);
  const name = call?.name ?? asName(block.name) ?? asName(block.toolName) ?? "tool";
  const { shown, sent, files, failed, caption } = saidIn(block.content ?? block.output);
  const code = call?.command === undefined ? undefined : EXITED.exec(shown)?.[1];
  const exit_code = code === undefined ? undefined : Number(code);
  const wrong = block.is_error === true || failed || (exit_code ?? 0) !== 0;
  const status = call?.told ?? statusOf(shown, wrong);
  const text = outputFor({ output: shown, exit_code }, sent);
  const output: Output | undefined = typeof text === "string" || text === undefined
    ? withFiles(text, files)
    : [...text, ...files];
  const end = { call_id, exit_code, status, output };
  if (call?.command === undefined) {
    writer.emit("tool_end", present({ ...end, name, caption }), origin);
  } else writer.emit("bash_end", present({ ...end, command: call.command }), origin);
  if (status !== "ok" || call === undefined) return;
  const lines = changedLines(asObject(call.input), shown);
  const path = asText(asObject(call.input).path);
  if (lines.length > 0) writer.emit("diff", present({ call_id, path, lines }), origin);
}

const EXITED = /Command (?:exited with|failed with exit) code:? (-?\d+)/;

function statusOf(shown: string, failed: boolean): CallStatus {
  if (/^The user denied this operation/.test(shown)) return "skipped";
  return failed || /^(?:\[ERROR\]|<error>|The tool execution failed)/.test(shown) ? "error" : "ok";
}

export function toShown(block: Json): TextPart | AttachmentPart | undefined {
  return toPart(block) ?? imageParts(block)[0];
}

interface Said {
  /** The result's text for people. */
  shown: string;
  /** The result's text for the model. */
  sent: string;
  files: AttachmentPart[];
  failed: boolean;
  /** Cline's descriptions of the call's operations, one on each line. Absent if there are none. */
  caption?: string | undefined;
}

/** Reads a result's content: a text, blocks, or several operations' results as objects or JSON. */
function saidIn(content: unknown): Said {
  const { type, value } = asObject(content);
  const told = type === "text" || type === "json" ? value : content;
  const blocks = typeof told === "string" ? [] : blocksOf(told);
  const parts = blocks.map(toShown);
  const files = parts.flatMap((part) => part === undefined || part.type === "text" ? [] : [part]);
  const texts = parts.flatMap((part) => part?.type === "text" ? [part.text] : []);
  const plain = blocks.length > 0 && parts.every((part) => part !== undefined);
  const sent = plain ? texts.join("\n") : asText(told) ?? JSON.stringify(told ?? "");
  const operations = plain ? [] : operationsIn(told);
  if (operations.length === 0) return { shown: sent, sent, files, failed: false };
  const shown = operations.map(({ result, error }) =>
    asName(result) ?? asName(error) ?? JSON.stringify(result ?? "")
  ).join("\n");
  const caption = asName(operations.flatMap(({ query }) => asName(query) ?? []).join("\n"));
  const failed = operations.some(({ success }) => success === false);
  return { shown, sent, files, failed, caption };
}

/** Returns results of operations, `{query, result, success, error?}`. Empty for other forms. */
function operationsIn(told: unknown): Json[] {
  const value = typeof told === "string" && /^[[{]/.test(told) ? parsedJson(told) : told;
  const operations = (Array.isArray(value) ? asList(value) : [value]).map(asObject);
  return operations.every(({ success }) => typeof success === "boolean") ? operations : [];
}

const CREATED = /^File created successfully/;
const SHOWN_DIFF = /```diff\n([\s\S]*?)\n```/;
const SHOWN_LINE = /^([-+])(\d+): (.*)$/;
/** Matches a replaced text and its replacement between the marker lines of Cline and Roo Code. */
const REPLACED =
  /^(?:-{3,}|<{3,}) SEARCH>?\n(?::start_line:.*\n)?(?::end_line:.*\n)?(?:-{7}\n)?([\s\S]*?)^={3,}\n([\s\S]*?)^(?:\+{3,}|>{3,}) REPLACE>?$/gm;

function changedLines(input: Json, shown: string): DiffLine[] {
  if (CREATED.test(shown)) return wholeFileLines(asText(input.new_text) ?? "", "added");
  const diff = SHOWN_DIFF.exec(shown)?.[1];
  if (diff !== undefined) {
    const lines = diff.split("\n").map((line) => SHOWN_LINE.exec(line));
    return lines.includes(null) ? [] : lines.flatMap((found) =>
      found === null ? [] : [
        found[1] === "-"
          ? { kind: "removed", old: Number(found[2]), content: found[3] ?? "" } as const
          : { kind: "added", new: Number(found[2]), content: found[3] ?? "" } as const,
      ]
    );
  }
  return [...(asText(input.diff) ?? "").matchAll(REPLACED)].flatMap(([, old = "", now = ""]) => [
    { kind: "hunk", content: "@@" } as const,
    ...wholeFileLines(old, "removed").map(({ kind, content }) => ({ kind, content })),
    ...wholeFileLines(now, "added").map(({ kind, content }) => ({ kind, content })),
  ]);
}
