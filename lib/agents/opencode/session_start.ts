/**
 * The events that open a session, from its own record.
 */
import type { AgentSession } from "../../source/agent.ts";
import type { EventWriter } from "../../reading/events/event_writer.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { present } from "../../reading/json_value.ts";
import { INTERRUPTED_ERROR } from "./tool_events.ts";
import type { SessionInfo } from "./stored_session.ts";

/**
 * The title that a session has until the model gave it one: OpenCode 1.18.34,
 * src/session/session.ts, `isDefaultTitle`. The agent replaces it after the first prompt.
 */
const DEFAULT_TITLE =
  /^(New session - |Child session - )\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Writes what a session begins with. */
export function writeStart(
  writer: EventWriter,
  { id }: AgentSession,
  info: SessionInfo,
): void {
  const { parent_id, title, version, created, archived } = info;
  const created_at = isoTime(created);
  writer.emit(
    "session_started",
    present({
      session_id: id,
      created_at: created_at ?? "",
      cwd: info.directory ?? "",
      app: present({ name: "opencode", version }),
      unanswered_call: INTERRUPTED_ERROR,
      title: title === undefined || DEFAULT_TITLE.test(title) ? undefined : title,
      // A child is the session of a sub-agent; a fork has no parent: 1.18.34, session/session.ts.
      parent: parent_id === undefined ? undefined : { session_id: parent_id, reason: "subagent" },
    }),
    { id, time: created },
  );
  if (archived !== undefined) {
    writer.emit("session_archived", { archived: true }, { id, time: archived });
  }
}
