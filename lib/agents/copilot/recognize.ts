/**
 * Tells a session of Copilot CLI from other agents' files. It has events of dotted types with
 * `data`, or is the older document.
 */
import { isObject } from "../../event/guard.ts";
import { headRecords } from "../../reading/records/head_records.ts";

const EVENT = /^(?:session|user|assistant|tool|system|hook|subagent|permission|skill)\.[a-z_]+$/;
const DOCUMENT = /^\s*\{[^]*?"(?:chatMessages|timeline)"\s*:\s*\[/;
const decoder = new TextDecoder();

/** True if the first bytes of a file are those of a session. */
export function isCopilotSession(head: Uint8Array): boolean {
  const events = headRecords(head).some(({ value: { type, data, id, parentId } }) =>
    typeof type === "string" && EVENT.test(type) && isObject(data) &&
    typeof id === "string" && (typeof parentId === "string" || parentId === null)
  );
  if (events) return true;
  const text = decoder.decode(head);
  return DOCUMENT.test(text) && /"sessionId"\s*:/.test(text);
}
