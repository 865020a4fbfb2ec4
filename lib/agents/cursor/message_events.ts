/** Cursor's messages as our events. */
import { toContent } from "../../event/audience.ts";
import type { CallStatus, Part } from "../../event/message.ts";
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { emitResponse, startResponse } from "../../reading/events/response_draft.ts";
import {
  addItem,
  callIdOf,
  imageParts,
  isResultItem,
  resultOf,
} from "../../reading/events/sdk_items.ts";
import { asName, asText, type Json, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { CursorMessage } from "./cursor_message.ts";

/** Emits a message. */
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
  const content = role === "user" ? toContent(said.flatMap(promptParts)) : "";
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
  const known = ["user", "assistant", "tool", "system"].includes(role);
  const data = known ? message.rest : { ...message.rest, role, items: message.items };
  if (Object.keys(data).length === 0) return;
  writer.emit("extension", { agent: "cursor", type: asName(role) ?? "record", data }, origin);
}

const QUERY = /^([\s\S]*?<user_query>\n?)([\s\S]*?)(\n?<\/user_query>[\s\S]*)$/;
const STAMP = /^\s*<timestamp>[^<]*<\/timestamp>\s*/;
/** Texts that Cursor adds to prompts. */
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
