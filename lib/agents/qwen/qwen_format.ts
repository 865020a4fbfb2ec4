/**
 * The format of Qwen Code's sessions: a tree of records by `uuid` and `parentUuid` (Qwen Code,
 * packages/core/src/utils/transcript-records.ts). Several with one uuid are fragments of one
 * (`aggregateTranscriptRecordFragments`). Its parent is that of the first fragment. The last record
 * is the live leaf (`selectTranscriptLeaf`). The way up ends at a parent that is not there, and at a
 * cycle (`walkTranscriptUuidChain`). A rewind appends a record that follows an earlier one.
 */
import { basename, dirname, join } from "node:path";
import { isoTime } from "../../reading/events/iso_time.ts";
import { listFolder, readJsonObject } from "../../reading/files/folder.ts";
import { asName, asObject, asText, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { restoredState, savedState } from "../../reading/saved_state.ts";
import type { Indexed } from "../../reading/tree/path_format.ts";
import { type RecordIndex, recordName, type TreeIndex } from "../../reading/tree/record_index.ts";
import type { SubagentFile, TreeFormat } from "../../reading/tree/tree_format.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import { usageOf } from "./chat_record.ts";
import { emitHead, type QwenHead, startThread } from "./header.ts";
import { type Emission, emitRecord } from "./record_events.ts";

const FILE = /^agent-(.+)\.jsonl$/;

/** The sub-agents of a session, in the order of their names. */
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

type Json = Readonly<Record<string, unknown>>;

/** sessionService.ts `MAX_PROMPT_SCAN_LINES`: what a list looks at. */
const FIRST_RECORDS = 10;

/** The format of Qwen Code's sessions. */
export const qwenFormat: TreeFormat<QwenHead, Emission, unknown> = {
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
    ...(saved === undefined ? {} : restoredState<Pick<Emission, "turn_id" | "calls">>(saved)),
    writer,
  }),
  isPrompt: (index, row) => recordName(index, row) === "user",
  isCompaction,
  responses: responsesOf,
  // A rewind goes on from where the branch that it takes back began.
  describe: (_session, index) =>
    Promise.resolve(({ rows: [first = -1] }) => {
      const rewound = index.parent.subarray(0, index.count).some((parent, row) =>
        parent === index.parent[first] && recordName(index, row) === "system/rewind"
      );
      return Promise.resolve({ kind: rewound ? "replaced" : "branch" });
    }),
  subagents: subagentsOf,
};

/** A record that holds a compressed history, which replaces all before it. */
const COMPACTION = "system/chat_compression";

function isCompaction(index: RecordIndex, row: number): boolean {
  return recordName(index, row) === COMPACTION;
}

const LEAVES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool_result", "system"]);

/** transcript-records.ts `isTranscriptConversationRecord`: these hang beside the tree. */
const BESIDE: ReadonlySet<string> = new Set([
  "session_artifact_event",
  "session_artifact_snapshot",
  "session_sources_snapshot",
  "managed_session_header_v1",
  "managed_session_event_v1",
  "managed_session_commit_v1",
]);

/**
 * True where a record has the frame of all of Qwen Code's (`validateTranscriptRecord`). Of a type
 * that is not known it is still a link of the chain, though never its end.
 */
export function isChatRecord({ uuid, parentUuid, sessionId, type }: Json): boolean {
  if (typeof uuid !== "string" || uuid === "" || typeof type !== "string") return false;
  return (typeof parentUuid === "string" || parentUuid === null) && typeof sessionId === "string";
}

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
 * A fork copies records, and names the original of each (0.24, services/sessionService.ts,
 * `forkedFrom`). The original names the response.
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
