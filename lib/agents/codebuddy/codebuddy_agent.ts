/**
 * Reads the sessions of CodeBuddy Code (Tencent). Each record names its parent. The records of one
 * answer share its id. The rules are those of the bundle of 2.117.0, which npm's
 * `@tencent-ai/agent-sdk` 0.3.201 contains. They were found by running the bundle.
 *
 * The live branch ends at the last record of the conversation (`HistoryUtils.getActiveHistory`). A
 * summary names its parent in `logicalParentId`. This reader keeps records that CodeBuddy Code
 * loses:
 *
 * - CodeBuddy Code drops all records before a damaged line. Here, the record before the damage
 *   replaces the missing parent.
 * - CodeBuddy Code reads only the last thousand records of a long file. If no record of a file
 *   names a parent, it sends only the last record. Here, all records are read.
 * - An answer may have a snapshot of files between its records. CodeBuddy Code sends only the
 *   records after the snapshot.
 *
 * Not read: chats of its editors' extension (`history/<project>/<id>/messages/*.json`), and long
 * outputs in separate files. The session has the beginning of these outputs.
 */
import { isoTime } from "../engine/events/iso_time.ts";
import { readJsonObject } from "../engine/files/folder.ts";
import { asName, asObject, asText, present } from "../engine/json.ts";
import { headRecords } from "../engine/records/head_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { Indexed, TreePath } from "../engine/tree/path_format.ts";
import { recordName, type TreeIndex } from "../engine/tree/record_index.ts";
import type { TreeFormat, TreeReading, TreeSink } from "../engine/tree/tree_format.ts";
import { treeReader } from "../engine/tree/tree_reader.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import type { Agent } from "../contract/agent.ts";
import { metaBeside } from "./meta_file.ts";
import { emitItem, usageOf } from "./item_events.ts";
import { kindOf } from "./item_kind.ts";
import { sessionAt, subagentsOf } from "./locate.ts";

interface CodeBuddyHead {
  first?: SourceRecord;
  cwd?: string | undefined;
  /** The latest title of each kind. */
  titles: Map<string, string>;
  /** True once a record named its parent. */
  linked: boolean;
}

/** Types of records that hold a title, in order of precedence (`getEffectiveSessionTitle`). */
const TITLES = ["custom-title", "ai-title", "topic"];

/**
 * Matches types of records that are not in the tree, besides titles (`CUSTOM_INPUT_ITEM_TYPES`).
 */
const BESIDE = /^(?:file-history-snapshot|summary|goal-result|goal-progress|resend-fork-notice)$/;

export const codebuddyFormat: TreeFormat<CodeBuddyHead, TreeSink, null> = {
  repeated: "joined",
  head: () => ({ titles: new Map(), linked: false }),
  hasHead: ({ first }) => first !== undefined,
  index: indexRecord,
  idOf: ({ value }) => asName(value.id),
  isBridged: () => true,
  begin: emitHead,
  emit: (records, { id }, writer) => records.forEach((record) => emitItem(writer, record, id)),
  saveState: () => null,
  restoreState: (_saved, { writer }) => writer,
  isPrompt: (index, row) => recordName(index, row) === "prompt",
  isCompaction: (index, row) => ["compaction", "clear"].includes(recordName(index, row)),
  responses: responsesOf,
  subagents: subagentsOf,
};

function indexRecord(record: SourceRecord, { head }: TreeIndex<CodeBuddyHead>): Indexed {
  const { value } = record;
  head.first ??= record;
  const type = asText(value.type) ?? "unknown";
  head.cwd ??= asName(value.cwd);
  const title = asText(value.customTitle ?? value.aiTitle ?? value.topic)?.trim() ?? "";
  // `isGeneratedPlaceholderTitle`.
  if (!["", "(No content)", "/compact"].includes(title)) head.titles.set(type, title);
  const id = asName(value.id);
  if (id === undefined || TITLES.includes(type) || BESIDE.test(type)) return { beside: type };
  const parent = asName(value.parentId) ?? asName(value.logicalParentId);
  head.linked ||= parent !== undefined;
  return { id, parent_id: parent ?? (head.linked ? undefined : null), type: kindOf(value) };
}

/** Emits the session's start. The metadata file beside the session names the parent of a fork. */
function emitHead(
  { session: { id, path, cwd = "" }, writer }: TreeReading,
  { index: { head } }: TreePath<CodeBuddyHead>,
): TreeSink {
  const parent = asName(readJsonObject(metaBeside(path)).forkedFrom);
  const time = isoTime(head.first?.value.timestamp) ?? "";
  const started = present({
    ...{ session_id: id, created_at: time, cwd: head.cwd ?? cwd, app: { name: "CodeBuddy Code" } },
    title: TITLES.map((type) => head.titles.get(type)).find(Boolean),
    parent: parent === undefined ? undefined : { session_id: parent, reason: "fork" as const },
  });
  writer.emit("session_started", started, present({ time, record: head.first }));
  return writer;
}

/** Returns the usage in a record. Records with the same `messageId` are one response. */
function responsesOf({ value }: SourceRecord, thread: string | undefined): ResponseUsage[] {
  const { messageId = value.id, model } = asObject(value.providerData);
  const usage = usageOf(value);
  if (usage === undefined) return [];
  const spent = { model: asName(model) ?? "", thread, usage };
  return [present({ key: `${messageId}\ncodebuddy`, time: isoTime(value.timestamp), ...spent })];
}

function isCodeBuddy(head: Uint8Array): boolean {
  return headRecords(head).some(({ value: { type, id, timestamp, sessionId, ...rest } }) =>
    [id, sessionId].every((name) => typeof name === "string") && typeof timestamp === "number" &&
    (type === "message" || type === "reasoning"
      ? Array.isArray(rest.content)
      : /^function_call/.test(String(type)) && typeof rest.callId === "string")
  );
}

export const codebuddyAgent: Agent = {
  name: "codebuddy",
  recognize: (_path, head) => isCodeBuddy(head),
  sessionsIn: (path) => Promise.resolve([sessionAt(path)]),
  open: treeReader(codebuddyFormat, {
    // The parent of a fork is named in a separate file.
    files: (session) => ({
      paths: [session, ...subagentsOf(session)].flatMap(({ path }) => [path, metaBeside(path)]),
    }),
  }),
};
