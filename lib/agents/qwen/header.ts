/** Writes the start of a session: its time, place and title. */
import type { ParentInfo, SessionStartedPayload } from "../../event/payload.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { asName, asObject, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { TreePath } from "../../reading/tree/path_format.ts";
import { rowOf } from "../../reading/tree/record_index.ts";
import { hasRow } from "../../reading/tree/steps.ts";
import type { TreeReading, TreeSink } from "../../reading/tree/tree_format.ts";
import type { AgentSession } from "../../source/agent.ts";
import { promptText } from "./chat_record.ts";
import { startDialogue } from "./dialogue.ts";
import type { Emission } from "./record_events.ts";

/** Qwen Code 0.24, core/geminiChat.ts, `ORPHAN_TOOL_USE_REPAIR_REASON`. */
const UNANSWERED = "Tool execution result was not recorded \u2014 likely interrupted by network " +
  "failure, abort, or process exit. Treat as failure and retry if needed.";

/** The index's notes on a session. */
export interface QwenHead {
  /** The first records of the file, whatever they are. */
  first: SourceRecord[];
  /** The title that was given last, on whatever branch. */
  title?: { id: string; text: string; record: SourceRecord };
}

/** Emits the first event, and the title where no record on the branch gives it. */
export function emitHead(
  { session, writer }: TreeReading,
  { index, steps }: TreePath<QwenHead>,
): Emission {
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

/** Returns a dialogue without its head; a title in it is not the session's. */
export function startThread(session: AgentSession, writer: TreeSink): Emission {
  return { ...startDialogue(writer), session, own_titles: false, turn_id: undefined };
}

/**
 * What the first records say. Qwen Code lists a session by its first record's `cwd` and
 * `timestamp`, and by its first prompt where it has no title (sessionService.ts `listSessions`).
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

/** `forkedFrom` on each copied record, or a `parent_session` record near the start. */
function parentOf(values: readonly Readonly<Record<string, unknown>>[]): ParentInfo | undefined {
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
