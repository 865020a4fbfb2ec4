/**
 * Tells a session of Qwen Code from other agents' files. Claude Code's records have the same frame,
 * but their messages have a `content` in place of `parts`.
 */
import { isObject } from "../../event/guard.ts";
import { asObject } from "../../reading/json_value.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import { isChatRecord } from "./qwen_format.ts";

/** True if the first bytes of a file are those of a session. */
export function isQwenSession(head: Uint8Array): boolean {
  return headRecords(head).some(({ value }) =>
    isChatRecord(value) &&
    (Array.isArray(asObject(value.message).parts) || isObject(value.systemPayload))
  );
}
