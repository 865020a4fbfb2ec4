/**
 * Qwen Code (QwenLM/qwen-code): one file per session, with a tree of records.
 *
 * The rules come from its source code (packages/core/src, mid-2026). The live branch ends at the
 * record that was written last. Records with the same uuid are one record. A `chat_compression`
 * replaces all earlier messages. Reprise keeps data that Qwen Code loses:
 *
 * - Qwen Code drops everything before a damaged line. Reprise replaces the lost parent by the
 *   record before the damage.
 * - Qwen Code refuses a file with two session ids, or a file of another directory. Reprise reads
 *   such a file.
 * - A record of an unknown type breaks Qwen Code's chain of parents. Reprise follows the chain
 *   through this record.
 *
 * The conversation differs from what Qwen Code sends to the model. A message from the middle of a
 * turn stays a separate message. Qwen Code appends it to the results before it. Local commands that
 * were typed over ACP stay. Images from a tool stay in its result. Thoughts precede the text.
 *
 * Reprise does not read the sessions of 2025, `tmp/<hash>/chats/session-*.json`, in the format of
 * Gemini CLI.
 *
 * @module
 */
import { asName, asObject, asText, type Json, present } from "../engine/json.ts";
import { basename, dirname, join } from "node:path";
import { isObject } from "../../core/event/guard.ts";
import { byteSearch } from "../../core/log/json_bytes/byte_search.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { listFolder, readJsonObject } from "../engine/files/folder.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { restoredState, savedState } from "../engine/session_format.ts";
import type { Indexed } from "../engine/tree/path_format.ts";
import { type RecordIndex, recordName, type TreeIndex } from "../engine/tree/record_index.ts";
import type { SubagentFile, TreeFormat } from "../engine/tree/tree_format.ts";
import { treeReader } from "../engine/tree/tree_reader.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import { isChatRecord, usageOf } from "./chat_record.ts";
import {
  emitHead,
  emitRecord,
  type QwenEmission,
  type QwenHead,
  startThread,
} from "./record_events.ts";

// The format of Qwen Code's sessions: a tree of records by `uuid` and `parentUuid` (Qwen Code,
// packages/core/src/utils/transcript-records.ts). Records with the same uuid are fragments of one
// record (`aggregateTranscriptRecordFragments`), whose parent is that of the first fragment. The
// last record is the live leaf (`selectTranscriptLeaf`). The path to the root ends at a missing
// parent and at a cycle (`walkTranscriptUuidChain`). A rewind appends a record that follows an
// earlier one.

const FILE = /^agent-(.+)\.jsonl$/;

function subagentsOf({ id, path }: AgentSession): SubagentFile[] {
  const chats = dirname(path);
  const project = basename(chats) === "archive" ? dirname(dirname(chats)) : dirname(chats);
  const folder = join(project, "subagents", id.replace(/[^a-zA-Z0-9_-]/g, "_"));
  return listFolder(folder).flatMap((entry) => {
    const name = entry.isFile ? FILE.exec(entry.name)?.[1] : undefined;
    if (name === undefined) return [];
    const meta = readJsonObject(entry.path.replace(/\.jsonl$/, ".meta.json"));
    return [{
      id: asName(meta.agentId) ?? name,
      path: entry.path,
      task: asName(meta.description) ?? asName(meta.agentType),
      parent: asName(meta.parentAgentId),
    }];
  });
}

/**
 * Number of records that are read from the start to list a session (sessionService.ts,
 * `MAX_PROMPT_SCAN_LINES`).
 */
const FIRST_RECORDS = 10;

const findTitle = byteSearch('"subtype":"custom_title"');

export const qwenFormat: TreeFormat<QwenHead, QwenEmission, unknown> = {
  repeated: "joined",
  head: () => ({ first: [] }),
  hasHead: ({ first }) => first.length > 0,
  index: indexRecord,
  idOf: ({ value }) => asName(value.uuid),
  isLeaf: (index, row) => LEAVES.has(recordName(index, row).split("/")[0]),
  // What was rewound must not come back.
  isBridged: ({ type }) => type !== "system/rewind",
  begin: emitHead,
  emit: (records: readonly SourceRecord[], node, state) => emitRecord(state, node, records),
  saveState: ({ turn_id, calls }) => savedState({ turn_id, calls }),
  restoreState: (saved, { session, writer }, _path, begun = startThread(session, writer)) => ({
    ...begun,
    ...(saved === undefined ? {} : restoredState<Pick<QwenEmission, "turn_id" | "calls">>(saved)),
    writer,
  }),
  middle: {
    parent: '"parentUuid":',
    isWanted: (bytes, start, end) => findTitle(bytes, start, end) >= 0,
  },
  isPrompt: (index, row) => recordName(index, row) === "user",
  isCompaction,
  responses: responsesOf,
  // A rewind follows the parent of the branch that it removes.
  describe: (_session, index) =>
    Promise.resolve(({ rows: [first = -1] }) => {
      const rewound = index.parent.subarray(0, index.count).some((parent, row) =>
        parent === index.parent[first] && recordName(index, row) === "system/rewind"
      );
      return Promise.resolve({ kind: rewound ? "replaced" : "branch" });
    }),
  subagents: subagentsOf,
};

const COMPACTION = "system/chat_compression";

function isCompaction(index: RecordIndex, row: number): boolean {
  return recordName(index, row) === COMPACTION;
}

const LEAVES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool_result", "system"]);

/** Types of records outside the tree (transcript-records.ts `isTranscriptConversationRecord`). */
const BESIDE: ReadonlySet<string> = new Set([
  "session_artifact_event",
  "session_artifact_snapshot",
  "session_sources_snapshot",
  "managed_session_header_v1",
  "managed_session_event_v1",
  "managed_session_commit_v1",
]);

function indexRecord(record: SourceRecord, { head }: TreeIndex<QwenHead>): Indexed {
  const { value } = record;
  if (head.first.length < FIRST_RECORDS) head.first.push(record);
  const type = asText(value.type) ?? "unknown";
  const subtype = asName(value.subtype);
  if (!isChatRecord(value) || (type === "system" && BESIDE.has(subtype ?? ""))) {
    return { beside: subtype ?? type };
  }
  const id = value.uuid as string;
  const payload = asObject(value.systemPayload);
  const text = subtype === "custom_title" ? asText(payload.customTitle) : undefined;
  if (type === "system" && text !== undefined) head.title = { id, text, record };
  return { id, parent_id: asName(value.parentUuid), type: kindOf(type, subtype, payload) };
}

function kindOf(type: string, subtype: string | undefined, payload: Json): string {
  const kind = subtype === undefined ? type : `${type}/${subtype}`;
  return kind === COMPACTION && !Array.isArray(payload.compressedHistory) ? `${kind}?` : kind;
}

/**
 * Returns the model responses in a record. A fork's copy of a record names the original record in
 * `forkedFrom` (0.24, services/sessionService.ts). The original record's id is the key of both
 * records' responses, so they count once.
 */
function responsesOf({ value }: SourceRecord, thread: string | undefined): ResponseUsage[] {
  const uuid = asName(value.uuid);
  const usage = value.type === "assistant" ? usageOf(value) : undefined;
  if (uuid === undefined || usage === undefined) return [];
  const original = asName(asObject(value.forkedFrom).messageUuid) ?? uuid;
  return [present({
    key: `${original}\nqwen`,
    time: isoTime(value.timestamp),
    model: asName(value.model) ?? "",
    thread,
    usage,
  })];
}

function isQwenSession(head: Uint8Array): boolean {
  return headRecords(head).some(({ value }) =>
    isChatRecord(value) &&
    (Array.isArray(asObject(value.message).parts) || isObject(value.systemPayload))
  );
}

export const qwenAgent: Agent = {
  name: "qwen",
  recognize: (_path, head) => isQwenSession(head),
  sessionsIn: (path) =>
    Promise.resolve([{ agent: "qwen", id: basename(path).replace(/\.jsonl$/, ""), path }]),
  open: treeReader(qwenFormat),
};
