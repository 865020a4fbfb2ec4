/**
 * GitHub Copilot CLI: one log of events a session, read from its start to its end.
 *
 * Its rules, read from version 0.0.420 (the last whose code can be read) and from the schema of
 * `@github/copilot-sdk` 1.0.14. Copilot CLI refuses a log with one bad line ("Session file is
 * corrupted"). It also refuses one that does not begin with `session.start`. Here each bad line
 * costs itself.
 *
 * The conversation differs from what Copilot CLI sends on resume. Its system prompt is left out.
 * Thoughts, which it strips, stay. Images that a tool gave stand in its result. What
 * `session.truncation` dropped is not told: nothing is dropped.
 *
 * @module
 */
import { isObject } from "../../event/guard.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import type { Agent } from "../../source/agent.ts";
import { copilotFormat } from "./copilot_format.ts";
import { idInName } from "./session_file.ts";

const EVENT = /^(?:session|user|assistant|tool|system|hook|subagent|permission|skill)\.[a-z_]+$/;
const DOCUMENT = /^\s*\{[^]*?"(?:chatMessages|timeline)"\s*:\s*\[/;
const decoder = new TextDecoder();

/** True if the first bytes of a file are those of a session. */
function isCopilotSession(head: Uint8Array): boolean {
  const events = headRecords(head).some(({ value: { type, data, id, parentId } }) =>
    typeof type === "string" && EVENT.test(type) && isObject(data) &&
    typeof id === "string" && (typeof parentId === "string" || parentId === null)
  );
  if (events) return true;
  const text = decoder.decode(head);
  return DOCUMENT.test(text) && /"sessionId"\s*:/.test(text);
}

/** The reader of Copilot CLI's sessions. */
export const copilotAgent: Agent = {
  name: "copilot",
  recognize: (_path, head) => isCopilotSession(head),
  sessionsIn: (path) => Promise.resolve([{ agent: "copilot", id: idInName(path), path }]),
  open: formatReader(copilotFormat),
};
