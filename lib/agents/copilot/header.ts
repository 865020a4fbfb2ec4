/** Writes the start of a session: its time, place and title. */
import type { SessionStartedPayload } from "../../event/payload.ts";
import type { AgentSession } from "../../source/agent.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { asName, asObject, present } from "../../reading/json_value.ts";
import { readWorkspace } from "./session_file.ts";
import { directoryInHead } from "./working_directory.ts";

type Json = Readonly<Record<string, unknown>>;

/** Copilot CLI 0.0.420, index.js: what it completes calls with that were cut off. */
const UNANSWERED = "The execution of this tool, or a previous tool was interrupted.";

/**
 * What a log's first record says, which is a `session.start` unless that was lost
 * (`StartData`, `WorkingDirectoryContext`). Its title is that of `workspace.yaml`.
 */
export function toStarted(session: AgentSession, first: Json): SessionStartedPayload {
  const data = first.type === "session.start" ? asObject(first.data) : {};
  const context = asObject(data.context);
  const workspace = readWorkspace(session.path);
  const git = present({
    branch: asName(context.branch),
    commit: asName(context.headCommit),
    remote: asName(context.repository),
  });
  const model = asName(data.selectedModel);
  const parent = asName(data.detachedFromSpawningParentSessionId);
  return present({
    session_id: session.id,
    created_at: isoTime(data.startTime) ?? isoTime(first.timestamp) ?? "",
    cwd: asName(context.cwd) ?? workspace.cwd ?? directoryInHead(session.path) ?? "",
    app: present({ name: "Copilot CLI", version: asName(data.copilotVersion) }),
    title: workspace.title,
    git: Object.keys(git).length === 0 ? undefined : git,
    environment: model === undefined ? undefined : { model },
    parent: parent === undefined ? undefined : { session_id: parent, reason: "spawn" },
    unanswered_call: UNANSWERED,
  });
}
