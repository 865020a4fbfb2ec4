/**
 * First pass over a session of Claude Code: which records it has, which one each follows, and what
 * the records beside the talk say of the whole. Most lines are looked at only at both their ends.
 */
import type { Line } from "../../log/line_splitter.ts";
import { readLines, type RecordOptions } from "../jsonl_records.ts";
import { asList, asName, asObject, asText } from "../json_value.ts";
import { indexTree, type RecordTree } from "../record_tree.ts";
import { countSide } from "../../source/source_account.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";
import { scanLine } from "./line_scan.ts";
import { addSide, type SideFacts } from "./side_facts.ts";
import type { Boundary, Found, TalkNode } from "./talk_node.ts";

/** The records of a session. */
export interface RecordIndex {
  nodes: TalkNode[];
  /** By uuid; of those with one uuid the last. */
  tree: RecordTree<TalkNode>;
  side: SideFacts;
}

interface Indexing {
  options: RecordOptions;
  nodes: TalkNode[];
  side: SideFacts;
}

const CLOSE_OBJECT = 0x7d;
const TALK = new Set(["user", "assistant", "system", "attachment", "progress"]);

/**
 * Indexes a session. `thorough`: each line is parsed, so that all damage is found and all bytes are
 * accounted for; else a line that looks whole is taken for whole.
 */
export async function indexRecords(
  path: string,
  options: RecordOptions,
  thorough: boolean,
): Promise<RecordIndex> {
  const indexing: Indexing = { options, nodes: [], side: {} };
  for await (const lines of readLines(path, options)) {
    for (const line of lines) indexLine(indexing, line, thorough);
  }
  return finishIndexing(indexing);
}

/** Indexes lines that are at hand. */
export function indexRecordLines(lines: Iterable<Line>): RecordIndex {
  const indexing: Indexing = { options: {}, nodes: [], side: {} };
  for (const line of lines) indexLine(indexing, line, false);
  return finishIndexing(indexing);
}

function finishIndexing({ nodes, side }: Indexing): RecordIndex {
  return { nodes, side, tree: indexTree(nodes) };
}

function indexLine(indexing: Indexing, line: Line, thorough: boolean): void {
  if (!thorough && looksWhole(line)) {
    const found = scanLine(line, indexing.nodes.length);
    if (typeof found === "string") {
      return countSide(indexing.options.account, found, line.length);
    }
    if (found !== undefined) return void indexing.nodes.push(linked(indexing, found));
  }
  const records: SourceRecord[] = [];
  let damaged = false;
  const { account, report } = indexing.options;
  parseRecords(line, records, {
    account,
    report: (diagnostic) => {
      damaged ||= diagnostic.code !== "invalid-utf8";
      report?.(diagnostic);
    },
  });
  if (damaged) addDamaged(indexing, line, records);
  for (const record of records) indexRecord(indexing, record);
}

/** A damaged line may still say what it follows: so the history before it is not lost with it. */
function addDamaged(indexing: Indexing, line: Line, records: readonly SourceRecord[]): void {
  const found = line.oversized ? undefined : scanLine(line, indexing.nodes.length);
  if (typeof found !== "object" || records.some(({ value }) => value.uuid === found.id)) return;
  indexing.nodes.push({ ...linked(indexing, found), damaged: true });
}

function looksWhole({ bytes, terminated, oversized }: Line): boolean {
  return terminated && !oversized && bytes[bytes.length - 1] === CLOSE_OBJECT;
}

/** A record that says nothing of its parent, as minimal writers leave it out, follows the last one. */
function linked({ nodes }: Indexing, found: Found): TalkNode {
  const parent_id = found.parent_id === null
    ? undefined
    : found.parent_id ?? nodes[nodes.length - 1]?.id;
  // Not a copy: there are as many as there are lines.
  return Object.assign(found, { parent_id });
}

function indexRecord(indexing: Indexing, record: SourceRecord): void {
  const { value, position, salvaged } = record;
  const { options: { account }, nodes, side } = indexing;
  const type = asText(value.type) ?? "unknown";
  if (!TALK.has(type) && !leadsOn(value)) {
    addSide(side, value, nodes.length);
    return countSide(account, type, position.length);
  }
  const { parentUuid } = value;
  nodes.push(linked(indexing, {
    id: asName(value.uuid) ?? `#${nodes.length + 1}`,
    parent_id: parentUuid === null ? null : asName(parentUuid),
    type,
    subtype: asName(value.subtype) ?? asName(asObject(value.attachment).type),
    sidechain: value.isSidechain === true,
    timestamp: asName(value.timestamp),
    message_id: type === "assistant" ? asName(asObject(value.message).id) : undefined,
    order: nodes.length,
    ...position,
    ...(salvaged ? { salvaged } : {}),
    ...(value.subtype === "compact_boundary" ? { boundary: boundaryOf(value) } : {}),
  }));
}

/** A record of a type that is not known may still stand between two that are. */
function leadsOn({ uuid, parentUuid }: SourceRecord["value"]): boolean {
  return asName(uuid) !== undefined && (parentUuid === null || asName(parentUuid) !== undefined);
}

function boundaryOf(value: SourceRecord["value"]): Boundary {
  const { preservedSegment, preservedMessages } = asObject(value.compactMetadata);
  const segment = asObject(preservedSegment);
  const messages = asObject(preservedMessages);
  const ids = asList(messages.uuids).flatMap((id) => asName(id) ?? []);
  const names = {
    logical_parent_id: asName(value.logicalParentUuid),
    anchor_id: asName(messages.anchorUuid) ?? asName(segment.anchorUuid),
    head_id: asName(segment.headUuid),
    tail_id: asName(segment.tailUuid),
    ids: ids.length === 0 ? undefined : ids,
  };
  const boundary: Boundary = {};
  for (const [name, id] of Object.entries(names)) {
    if (id !== undefined) Object.assign(boundary, { [name]: id });
  }
  return boundary;
}
