/**
 * Qwen Code (QwenLM/qwen-code): one file a session, a tree of records in it.
 *
 * Its rules are read from its source (packages/core/src, mid-2026). The live branch ends at the
 * record that was written last. Records with one uuid are one. A `chat_compression` replaces what
 * was before. Where Qwen Code loses what is there, it is kept:
 *
 * - after a damaged line, Qwen Code drops all that stands before it. Here the record before the
 *   damage stands in for the lost parent;
 * - it refuses a file with two session ids, or one of another directory: it is read;
 * - a record of a type that it does not know breaks its chain: here it stays a link.
 *
 * The conversation differs from what Qwen Code sends. A message that came in the middle of a turn
 * is one of its own. It is not appended to the results before it. Local commands that were typed
 * over ACP stay. Images that a tool gave stand in its result. Thoughts stand before the text.
 *
 * Not read: what it kept in 2025 as `tmp/<hash>/chats/session-*.json`, in the form of Gemini CLI.
 *
 * @module
 */
import { basename } from "node:path";
import { isObject } from "../../event/guard.ts";
import { asObject } from "../../reading/json_value.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import { treeReader } from "../../reading/tree/tree_reader.ts";
import type { Agent } from "../../source/agent.ts";
import { isChatRecord, qwenFormat } from "./qwen_format.ts";

/** True if the first bytes of a file are those of a session. */
function isQwenSession(head: Uint8Array): boolean {
  return headRecords(head).some(({ value }) =>
    isChatRecord(value) &&
    (Array.isArray(asObject(value.message).parts) || isObject(value.systemPayload))
  );
}

/** The reader of Qwen Code's sessions. */
export const qwenAgent: Agent = {
  name: "qwen",
  recognize: (_path, head) => isQwenSession(head),
  sessionsIn: (path) =>
    Promise.resolve([{ agent: "qwen", id: basename(path).replace(/\.jsonl$/, ""), path }]),
  open: treeReader(qwenFormat),
};
