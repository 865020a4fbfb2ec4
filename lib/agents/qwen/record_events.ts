/**
 * Converts the records of Qwen Code to events.
 *
 * The rule is `SessionApiHistoryAccumulator` of Qwen Code (session-api-history.ts). It sends the
 * messages of all records, except those of type `system` and of subtype `realtime_message`. A
 * `chat_compression` with a `compressedHistory` replaces all earlier messages.
 */
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { contentText } from "../../core/event/message.ts";
import type { ParentInfo, SessionStartedPayload } from "../../core/event/payload.ts";
import type { EventOrigin } from "../engine/events/event_writer.ts";
import { foldedMessages } from "../engine/events/message_writer.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { TreePath } from "../engine/tree/path_format.ts";
import { rowOf } from "../engine/tree/record_index.ts";
import { hasRow, type TreeNode } from "../engine/tree/steps.ts";
import type { TreeReading, TreeSink } from "../engine/tree/tree_format.ts";
import type { AgentSession } from "../contract/agent.ts";
import { mergeFragments, promptText, usageOf } from "./chat_record.ts";
import { emitAnswer, emitSpoken, type QwenDialogue, startDialogue } from "./dialogue.ts";

export interface QwenEmission extends QwenDialogue {
  readonly session: AgentSession;
  /** True if the branch has the latest title. Otherwise, titles emit no events. */
  readonly own_titles: boolean;
  /** The id of the prompt that is being answered. */
  turn_id: string | undefined;
}

/** Emits a record as one event or more. */
export function emitRecord(
  emission: QwenEmission,
  node: TreeNode,
  fragments: readonly SourceRecord[],
): void {
  const [record] = fragments;
  if (record === undefined) return;
  const value = mergeFragments(fragments);
  if (beginsTurn(value)) emission.turn_id = asName(value.promptId) ?? node.id;
  const { turn_id, writer } = emission;
  const origin: EventOrigin = { id: node.id, time: value.timestamp, record, turn_id };
  const before = writer.seq;
  if (value.type === "system") emitSystem(emission, value, origin);
  else emitMessage(emission, value, origin);
  if (writer.seq > before) return;
  const type = asName(value.subtype) ?? asText(value.type) ?? "record";
  writer.emit("extension", { agent: "qwen", type, data: value }, origin);
}

/** Subtypes of `user` records that the user did not write (chatRecordingService.ts). */
const UNTYPED = new Set<unknown>([
  ...["notification", "background_task_completed", "cron", "goal_runtime"],
]);

function beginsTurn({ type, subtype }: Json): boolean {
  return type === "user" && subtype !== "mid_turn_user_message" && !UNTYPED.has(subtype);
}

function emitMessage(emission: QwenEmission, value: Json, origin: EventOrigin): void {
  const { parts } = asObject(value.message);
  if (!Array.isArray(parts)) return;
  if (value.subtype === "realtime_message") {
    const text = parts.flatMap((part) => asText(asObject(part).text) ?? []).join("\n");
    emission.writer.emit("notice", { audience: "user", title: "realtime message", text }, origin);
    return;
  }
  if (value.type === "assistant") {
    const message_id = origin.id ?? "";
    const fields = present({ message_id, model: asName(value.model), usage: usageOf(value) });
    emitAnswer(emission, parts, fields, origin, value);
  } else if (value.type === "user" || value.type === "tool_result") {
    const { callId, status, resultDisplay } = asObject(value.toolCallResult);
    // What the user wrote, without what hooks and `@` put into it.
    const text = value.type === "user"
      ? asText(asObject(value.systemPayload).displayText)
      : undefined;
    const untyped = UNTYPED.has(value.subtype) ? asName(value.subtype) : undefined;
    const shown = { call_id: asName(callId), status: asName(status), display: resultDisplay, text };
    emitSpoken(emission, parts, origin, present({ ...shown, untyped }));
  }
}

function emitSystem(
  emission: QwenEmission,
  { subtype, systemPayload }: Json,
  origin: EventOrigin,
): void {
  const { writer, own_titles } = emission;
  const payload = asObject(systemPayload);
  const title = asText(payload.customTitle);
  if (subtype === "custom_title" && own_titles && title !== undefined) {
    writer.emit("session_renamed", { title: title.trim() }, origin);
  } else if (subtype === "chat_compression" && Array.isArray(payload.compressedHistory)) {
    emitCompression(emission, payload, origin);
  } else if (subtype === "turn_result" && payload.state === "error") {
    const message = asText(asObject(payload.error).message) ?? "";
    writer.emit("turn_failed", { reason: "error", message }, origin);
  } else if (subtype === "turn_result" && payload.state === "cancelled") {
    writer.emit("turn_failed", { reason: "cancelled", message: "" }, origin);
  }
}

/** Emits a compaction from `{info: {originalTokenCount, newTokenCount, …}, compressedHistory}`. */
function emitCompression(
  { writer, session }: QwenEmission,
  payload: Json,
  origin: EventOrigin,
): void {
  const { originalTokenCount, newTokenCount } = asObject(payload.info);
  const messages = writer.wants("compaction_applied")
    ? foldedMessages(session, (base) => {
      const dialogue = startDialogue(base);
      asList(payload.compressedHistory).map(asObject).forEach(({ role, parts }, index) => {
        const from = { id: `${origin.id}/${index}` };
        if (role === "model") emitAnswer(dialogue, parts, { message_id: from.id }, from);
        else emitSpoken(dialogue, parts, from);
      });
    })
    : [];
  const tokens_before = asNumber(originalTokenCount);
  const tokens_after = asNumber(newTokenCount);
  const status = "Chat history compressed.";
  const [first] = messages;
  const summary = first?.role === "user" ? asName(contentText(first.content)) : undefined;
  writer.emit(
    "compaction_applied",
    present({ status, messages, summary, tokens_before, tokens_after }),
    origin,
  );
}

/** Result of a call without one (0.24, core/geminiChat.ts, `ORPHAN_TOOL_USE_REPAIR_REASON`). */
const UNANSWERED = "Tool execution result was not recorded \u2014 likely interrupted by network " +
  "failure, abort, or process exit. Treat as failure and retry if needed.";

export interface QwenHead {
  /** The first records of the file, including records outside the tree. */
  first: SourceRecord[];
  /** The latest title on any branch. */
  title?: { id: string; text: string; record: SourceRecord };
}

/** Emits `session_started`. Also emits the latest title if its record is on another branch. */
export function emitHead(
  { session, writer }: TreeReading,
  { index, steps }: TreePath<QwenHead>,
): QwenEmission {
  const { head } = index;
  const { title } = head;
  const own_titles = title === undefined || hasRow(steps, rowOf(index, title.id));
  const started = toStarted(session, head);
  const [record] = head.first;
  writer.emit("session_started", started, { time: started.created_at, record });
  if (title !== undefined && !own_titles) {
    const { id, text, record } = title;
    const origin = { id, time: record.value.timestamp, record };
    writer.emit("session_renamed", { title: text.trim() }, origin);
  }
  return { ...startThread(session, writer), own_titles };
}

export function startThread(session: AgentSession, writer: TreeSink): QwenEmission {
  return { ...startDialogue(writer), session, own_titles: false, turn_id: undefined };
}

/**
 * Returns the session's facts. Qwen Code's list takes `cwd` and `timestamp` from the first record.
 * If a session has no title, the list shows the first prompt (sessionService.ts `listSessions`).
 */
function toStarted(session: AgentSession, { first }: QwenHead): SessionStartedPayload {
  const values = first.map(({ value }) => value);
  const find = (field: string): string | undefined =>
    values.map((value) => asName(value[field])).find((text) => text !== undefined);
  const version = find("version");
  const branch = find("gitBranch");
  return present({
    session_id: session.id,
    created_at: isoTime(find("timestamp")) ?? "",
    cwd: find("cwd") ?? session.cwd ?? "",
    app: present({ name: "Qwen Code", version }),
    git: branch === undefined ? undefined : { branch },
    title: values.map(promptText).find((text) => text.trim() !== ""),
    parent: parentOf(values),
    unanswered_call: UNANSWERED,
  });
}

function parentOf(values: readonly Json[]): ParentInfo | undefined {
  for (const { forkedFrom, subtype, systemPayload } of values) {
    const forked = asName(asObject(forkedFrom).sessionId);
    if (forked !== undefined) return { session_id: forked, reason: "fork" };
    const parent = asName(asObject(systemPayload).parentSessionId);
    if (subtype === "parent_session" && parent !== undefined) {
      return { session_id: parent, reason: "spawn" };
    }
  }
  return undefined;
}
