/**
 * A session of before `session-state`: one JSON document (Copilot CLI 0.0.420, index.js: the schema
 * "history-session"). Of its two tellings, `chatMessages` is what the model got.
 */
import type { SessionStartedPayload } from "../../event/payload.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { EventWriter } from "../../reading/events/event_writer.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { asList, asName, asObject, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { emitChatMessages } from "./chat_messages.ts";
import { noCalls } from "./tool_calls.ts";
import { trustedFolder } from "./working_directory.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns the head that a document tells. */
export function documentStarted(
  session: AgentSession,
  { startTime, selectedModel, timeline }: Json,
): SessionStartedPayload {
  const model = asName(selectedModel);
  return present({
    session_id: session.id,
    created_at: isoTime(startTime) ?? "",
    cwd: session.cwd ?? directoryIn(timeline) ?? "",
    app: { name: "Copilot CLI" },
    environment: model === undefined ? undefined : { model },
  });
}

/** Emits the messages of a document, and then its timeline. */
export function emitDocument(record: SourceRecord, writer: EventWriter): void {
  const { chatMessages, timeline } = record.value;
  emitChatMessages({ writer, calls: noCalls() }, chatMessages, { record });
  emitTimeline(writer, timeline);
}

function directoryIn(timeline: unknown): string | undefined {
  const notices = asList(timeline).map((entry) => trustedFolder(asObject(entry).text));
  return notices.find((folder) => folder !== undefined);
}

/** What the user saw, where it is more than the messages: notices and errors; and the last time. */
function emitTimeline(writer: EventWriter, timeline: unknown): void {
  for (const entry of asList(timeline).map(asObject)) {
    const type = `timeline/${asName(entry.type) ?? "unknown"}`;
    const origin = present({ id: asName(entry.id), time: entry.timestamp });
    writer.emit("extension", { agent: "copilot", type, data: entry }, origin);
  }
}
