/**
 * Brings the messages of transcripts, chats and the editor into one form, and converts them to
 * events.
 */
import { toContent, untypedContent } from "../../core/event/audience.ts";
import type { CallStatus, Part } from "../../core/event/message.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { emitResponse, startResponse } from "../engine/events/response_draft.ts";
import {
  addItem,
  callIdOf,
  imageParts,
  isResultItem,
  resultOf,
} from "../engine/events/sdk_items.ts";
import {
  asList,
  asName,
  asObject,
  asText,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";
import type { DiffLine, TokenUsage } from "../../core/event/payload.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";

/** The facts of a session that are not in its messages. */
export interface Head {
  title?: string | undefined;
  created_at?: unknown;
  updated_at?: unknown;
  cwd?: string | undefined;
  model?: string | undefined;
  mode?: string | undefined;
}

export interface CursorMessage {
  role: string;
  /** The name of a prompt that was sent automatically; absent if the user typed it. */
  untyped?: string | undefined;
  id?: string | undefined;
  time?: unknown;
  model?: string | undefined;
  usage?: TokenUsage | undefined;
  /** Texts, thoughts, images, calls and results; see {@linkcode emitMessage}. */
  items: readonly Json[];
  /** The outcome of the message's results that have no status of their own. */
  status?: CallStatus | undefined;
  change?: { path: string; lines: DiffLine[] } | undefined;
  /** The summary of the earlier messages, and the id of the first message still in the context. */
  summary?: { text: string; kept?: string | undefined } | undefined;
  failure?: string | undefined;
  rest: Json;
}

const TAKEN: ReadonlySet<string> = new Set(["role", "message", "content", "timestamp", "id"]);

/** Converts a line, `{role, message: {content}}` of a transcript or `{role, content}` of a chat. */
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

const TIME_STAMP = /<timestamp>\w+, ([^<(]+)\(UTC(?:([+-])(\d+)(?::(\d\d))?)?\)<\/timestamp>/;

/** Parses Cursor's time in a prompt, such as `Friday, Apr 3, 2026, 12:17 PM (UTC+8)`. */
function stampedTime(text: string): string | undefined {
  const [, local, sign = "+", hours = "0", minutes = "00"] = TIME_STAMP.exec(text) ?? [];
  return local === undefined ? undefined : `${local}GMT${sign}${hours.padStart(2, "0")}${minutes}`;
}

export function emitMessage(
  message: CursorMessage,
  writer: EventWriter,
  record: SourceRecord,
): void {
  const { role, id, time, model, usage, summary, change, failure } = message;
  const origin: EventOrigin = { id, time, record };
  if (summary !== undefined) {
    const { text, kept } = summary;
    const first_kept_seq = kept === undefined ? undefined : writer.messageFrom(kept);
    const payload = { status: "", summary: text, first_kept_seq };
    writer.emit("compaction_applied", present(payload), origin);
  }
  // A transcript has no ids of calls.
  const idOf = (item: Json): string =>
    callIdOf(item, `line-${record.position.line}-${message.items.indexOf(item)}`);
  const [results, said] = [true, false].map((is_result) =>
    message.items.filter((item) => isResultItem(item) === is_result)
  ) as [Json[], Json[]];
  const ends = results.map((item) => {
    const status = item.status as CallStatus | undefined ?? message.status;
    return resultOf(item, { call_id: idOf(item), status });
  });
  if (role === "assistant") {
    const draft = startResponse();
    for (const item of said) addItem(draft, item, idOf(item));
    const empty = draft.parts.every((part) => part.type === "text" && part.text === "");
    const fields = present({ message_id: id, model, usage });
    if (!empty || usage !== undefined) emitResponse(writer, draft, fields, origin);
  }
  for (const end of ends) writer.emit("tool_end", end, origin);
  const parts = role === "user" ? said.flatMap(promptParts) : [];
  const { untyped } = message;
  const content = untyped === undefined ? toContent(parts) : untypedContent(parts, untyped);
  if (content.length > 0) writer.emit("user_message", { content }, origin);
  if (change !== undefined) {
    writer.emit("diff", present({ call_id: ends[0]?.call_id, ...change }), origin);
  }
  if (failure !== undefined) {
    writer.emit("turn_failed", { reason: "error", message: failure }, origin);
  }
  if (role === "system") {
    const text = said.flatMap((item) => asText(item.text) ?? []).join("\n");
    writer.emit("notice", { audience: "model", title: "system prompt", text }, origin);
  }
  const { rest, items } = message;
  if (["user", "assistant", "tool", "system"].includes(role)) writer.keep(role, rest, origin);
  else writer.keepUnknown(role === "" ? "record" : role, { ...rest, role, items }, origin);
}

const QUERY = /^([\s\S]*?<user_query>\n?)([\s\S]*?)(\n?<\/user_query>[\s\S]*)$/;
const STAMP = /^\s*<timestamp>[^<]*<\/timestamp>\s*/;
/** Matches the texts that Cursor adds to prompts. */
const ADDED =
  /^\s*<(user_info|system_\w+|git_status|open_and_\w+|agent_\w+|rules|project_layout|image_files)>/;

function promptParts(item: Json): Part[] {
  const text = asText(item.text);
  if (text === undefined) return imageParts(item);
  if (text === "") return [];
  const [, before, query, behind] = QUERY.exec(text) ?? [];
  const audience = "model" as const;
  if (query === undefined || before === undefined || behind === undefined) {
    const [lead = ""] = STAMP.exec(text) ?? [];
    const rest = text.slice(lead.length);
    if (ADDED.test(rest)) return [{ type: "text", text, audience }];
    const own: Part = { type: "text", text: rest };
    return lead === ""
      ? [own]
      : [{ type: "text", text: lead, audience }, { ...own, continues: true }];
  }
  return [
    { type: "text", text: before, audience },
    { type: "text", text: query, continues: true },
    { type: "text", text: behind, continues: true, audience },
  ];
}
