/** The messages of transcripts and chats in one form. */
import type { CallStatus } from "../../event/message.ts";
import type { DiffLine, TokenUsage } from "../../event/payload.ts";
import {
  asList,
  asName,
  asObject,
  asText,
  type Json,
  unreadFields,
} from "../../reading/json_value.ts";

/** The facts of a session outside of its messages. */
export interface Head {
  title?: string | undefined;
  created_at?: unknown;
  updated_at?: unknown;
  cwd?: string | undefined;
  model?: string | undefined;
  mode?: string | undefined;
}

/** A message of any form. */
export interface CursorMessage {
  role: string;
  id?: string | undefined;
  time?: unknown;
  model?: string | undefined;
  usage?: TokenUsage | undefined;
  /** Texts, thoughts, images, calls and results; see {@linkcode emitMessage}. */
  items: readonly Json[];
  /** The outcome of its results, where they do not tell. */
  status?: CallStatus | undefined;
  /** The change of a file that its call made. */
  change?: { path: string; lines: DiffLine[] } | undefined;
  /** The summary that stands for what was before, and the message from which it was kept. */
  summary?: { text: string; kept?: string | undefined } | undefined;
  /** The reason why the turn failed. */
  failure?: string | undefined;
  /** Fields that nothing else carries. */
  rest: Json;
}

const TAKEN: ReadonlySet<string> = new Set(["role", "message", "content", "timestamp", "id"]);

/** Reads a line of a transcript, `{role, message: {content}}`, or a chat's message, `{role, content}`. */
export function lineMessage(line: Json, id?: string): CursorMessage {
  const { content = line.content } = asObject(line.message);
  const items = typeof content === "string"
    ? [{ type: "text", text: content }]
    : asList(content).map(asObject);
  const first = items.map(({ text }) => asText(text) ?? "").find((text) =>
    text.includes("<timestamp>")
  );
  const { isSummary, highLevelToolCallResult: result } = asObject(
    asObject(line.providerOptions).cursor,
  );
  const { isError, output } = asObject(result);
  const failed = isError === true || asObject(output).isError === true;
  const text = items.flatMap((item) => asName(item.text) ?? []).join("\n\n");
  return {
    role: asText(line.role) ?? "",
    id,
    time: line.timestamp ?? stampedTime(first ?? ""),
    items: isSummary === true ? [] : items,
    summary: isSummary === true ? { text } : undefined,
    status: failed ? "error" : undefined,
    rest: unreadFields(line, TAKEN),
  };
}

const STAMP = /<timestamp>\w+, ([^<(]+)\(UTC(?:([+-])(\d+)(?::(\d\d))?)?\)<\/timestamp>/;

/** Returns the time that Cursor puts before prompts, as `Friday, Apr 3, 2026, 12:17 PM (UTC+8)`. */
function stampedTime(text: string): string | undefined {
  const [, local, sign = "+", hours = "0", minutes = "00"] = STAMP.exec(text) ?? [];
  return local === undefined ? undefined : `${local}GMT${sign}${hours.padStart(2, "0")}${minutes}`;
}
