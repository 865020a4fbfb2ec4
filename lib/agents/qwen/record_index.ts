/**
 * First pass over a session of Qwen Code: which records it has, and which one each follows.
 *
 * Records form a tree by `uuid` and `parentUuid` (Qwen Code,
 * packages/core/src/utils/transcript-records.ts). Several with one uuid are fragments of one
 * (`aggregateTranscriptRecordFragments`). Its parent is that of the first fragment. The last record
 * is the live leaf (`selectTranscriptLeaf`).
 */
import { asName, asObject, asText } from "../../reading/records/json_value.ts";
import type { RecordTree, TreeNode } from "../../reading/tree/record_tree.ts";
import type { RecordPlace } from "../../reading/records/records_at.ts";
import { countSide } from "../../source/source_account.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { SourceAccount } from "../../source/agent.ts";

type Json = Readonly<Record<string, unknown>>;

/** A record of the dialogue, with all its fragments. */
export interface RecordNode extends TreeNode {
  type: string;
  subtype: string | undefined;
  /** In the order of the file: one at least. */
  fragments: RecordPlace[];
  /** The record before the damage that stands before this one: its parent may have been there. */
  bridge_id?: string | undefined;
  /** Holds a compressed history, which replaces all before it. */
  compaction: boolean;
}

/** The records of a session. */
export interface RecordIndex {
  /** In the order of their first fragments. */
  nodes: RecordNode[];
  tree: RecordTree<RecordNode>;
  /** Where the dialogue goes on: the node of the record that was written last. */
  leaf?: RecordNode;
  /** The first records of the file, whatever they are. */
  first: SourceRecord[];
  /** The title that was given last, on whatever branch. */
  title?: { node: RecordNode; text: string; record: SourceRecord };
  /** Offsets of damage, in the order of the file. */
  damage: number[];
  /** Where the last record ends. */
  end: number;
}

/** sessionService.ts `MAX_PROMPT_SCAN_LINES`: what a list looks at. */
const FIRST_RECORDS = 10;

const TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool_result", "system"]);

/** transcript-records.ts `isTranscriptConversationRecord`: these hang beside the tree. */
const BESIDE: ReadonlySet<string> = new Set([
  "session_artifact_event",
  "session_artifact_snapshot",
  "session_sources_snapshot",
  "managed_session_header_v1",
  "managed_session_event_v1",
  "managed_session_commit_v1",
]);

/** An index without records. */
export function emptyIndex(): RecordIndex {
  return { nodes: [], tree: new Map(), first: [], damage: [], end: 0 };
}

/**
 * Whether a record has the frame of all of Qwen Code's (`validateTranscriptRecord`). Of a type that
 * is not known it is still a link of the chain, though never its end.
 */
export function isChatRecord({ uuid, parentUuid, sessionId, type }: Json): boolean {
  if (typeof uuid !== "string" || uuid === "" || typeof type !== "string") return false;
  return (typeof parentUuid === "string" || parentUuid === null) && typeof sessionId === "string";
}

/** Adds a record. One beside the dialogue is counted as such. */
export function addRecord(index: RecordIndex, record: SourceRecord, account?: SourceAccount): void {
  const { value, position } = record;
  const before = index.end;
  index.end = position.offset + position.length;
  if (index.first.length < FIRST_RECORDS) index.first.push(record);
  const type = asText(value.type) ?? "unknown";
  const subtype = asName(value.subtype);
  if (!isChatRecord(value) || (type === "system" && BESIDE.has(subtype ?? ""))) {
    return countSide(account, subtype ?? type, position.length);
  }
  const id = value.uuid as string;
  const node = index.tree.get(id) ?? addNode(index, record, { id, type, subtype }, before);
  node.fragments.push(placeOf(record));
  if (TYPES.has(type)) index.leaf = node;
  if (type === "system" && subtype === "custom_title") {
    const text = asText(asObject(value.systemPayload).customTitle);
    if (text !== undefined) index.title = { node, text, record };
  }
}

function placeOf({ position, salvaged }: SourceRecord): RecordPlace {
  return salvaged === undefined ? position : { ...position, salvaged };
}

function addNode(
  index: RecordIndex,
  { value, position }: SourceRecord,
  { id, type, subtype }: { id: string; type: string; subtype: string | undefined },
  before: number,
): RecordNode {
  const damaged = index.damage.some((offset) => before <= offset && offset < position.offset);
  const node: RecordNode = {
    id,
    parent_id: asName(value.parentUuid),
    type,
    subtype,
    fragments: [],
    compaction: type === "system" && subtype === "chat_compression" &&
      Array.isArray(asObject(value.systemPayload).compressedHistory),
    // What was rewound must not come back.
    bridge_id: damaged && subtype !== "rewind" ? index.leaf?.id : undefined,
  };
  index.tree.set(id, node);
  index.nodes.push(node);
  return node;
}
