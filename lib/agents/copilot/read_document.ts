/**
 * A session of before `session-state`: one JSON document (Copilot CLI 0.0.420, index.js: the schema
 * "history-session"). Of its two tellings, `chatMessages` is what the model got.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { readJsonDocument } from "../../reading/records/json_document.ts";
import { asList, asName, asObject, present } from "../../reading/records/json_value.ts";
import { count } from "../../source/source_account.ts";
import { emitChatMessages } from "./chat_messages.ts";
import { noCalls } from "./tool_calls.ts";
import { trustedFolder } from "./working_directory.ts";

/** Reads a document; see {@linkcode Agent.read}. */
export function* readDocument(
  session: AgentSession,
  { needs, report, account }: AgentReadOptions,
): Generator<readonly LogEvent[]> {
  for (const [index, record] of readJsonDocument(session.path, { report, account }).entries()) {
    count(account, "events", record.position.length);
    if (index > 0) continue;
    const { chatMessages, startTime, selectedModel, timeline } = record.value;
    const writer = new EventWriter(session, needs);
    const model = asName(selectedModel);
    const created_at = isoTime(startTime) ?? "";
    writer.emit(
      "session_started",
      present({
        session_id: session.id,
        created_at,
        cwd: session.cwd ?? directoryIn(timeline) ?? "",
        app: { name: "Copilot CLI" },
        environment: model === undefined ? undefined : { model },
      }),
      { time: created_at, record },
    );
    emitChatMessages({ writer, calls: noCalls() }, chatMessages, { record });
    emitTimeline(writer, timeline);
    yield writer.take();
  }
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
