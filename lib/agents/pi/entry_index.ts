/**
 * First pass over a pi session: which entries it has, and which entry each one follows. Only the
 * first bytes of most lines are looked at.
 */
import type { Line } from "../../log/line_splitter.ts";
import { fieldNames, findFields, textField } from "../../log/json_bytes/find_fields.ts";
import { readLines, type RecordOptions } from "../../reading/records/jsonl_records.ts";
import { asName, asNumber, asText } from "../../reading/records/json_value.ts";
import { indexTree, type RecordTree, type TreeNode } from "../../reading/tree/record_tree.ts";
import type { RecordPlace } from "../../reading/records/records_at.ts";
import { count, countSide } from "../../source/source_account.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";

/** An entry of a session: what it is, what it follows, where it lies. */
export interface EntryNode extends TreeNode, RecordPlace {
  type: string;
  /** Its line is damaged: it leads to its parent, and says nothing else. */
  damaged?: boolean;
}

/** The entries of a session. */
export interface EntryIndex {
  /** The first line, unless it was lost. */
  header?: SourceRecord;
  /** All entries in the order of the file. */
  nodes: EntryNode[];
  /** By id; of those with one id the last. */
  tree: RecordTree<EntryNode>;
}

interface Indexing {
  options: RecordOptions;
  header: SourceRecord | undefined;
  nodes: EntryNode[];
  /** Whether entries follow each other in the order of the file: the first version had no ids. */
  linear: boolean;
}

const ENTRY = fieldNames("type", "id", "parentId");
const CLOSE_OBJECT = 0x7d;

/**
 * Indexes a session. `thorough`: each line is parsed, so that all damage is found and all bytes are
 * accounted for; else a line that looks whole is taken for whole.
 */
export async function indexEntries(
  path: string,
  options: RecordOptions,
  thorough: boolean,
): Promise<EntryIndex> {
  const indexing = startIndexing(options);
  for await (const lines of readLines(path, options)) {
    for (const line of lines) indexLine(indexing, line, thorough);
  }
  return finishIndexing(indexing);
}

/** Indexes lines that are at hand. */
export function indexEntryLines(lines: Iterable<Line>): EntryIndex {
  const indexing = startIndexing({});
  for (const line of lines) indexLine(indexing, line, false);
  return finishIndexing(indexing);
}

function startIndexing(options: RecordOptions): Indexing {
  return { options, header: undefined, nodes: [], linear: false };
}

function finishIndexing({ header, nodes }: Indexing): EntryIndex {
  return { ...(header === undefined ? {} : { header }), nodes, tree: indexTree(nodes) };
}

function indexLine(indexing: Indexing, line: Line, thorough: boolean): void {
  const quick = thorough || !looksWhole(line) ? undefined : scanEntry(indexing, line);
  if (quick !== undefined) {
    indexing.nodes.push(quick);
    return;
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

function looksWhole({ bytes, terminated, oversized }: Line): boolean {
  return terminated && !oversized && bytes[bytes.length - 1] === CLOSE_OBJECT;
}

/** The entry of a line by its first fields; undefined where these do not tell. */
function scanEntry({ linear }: Indexing, line: Line): EntryNode | undefined {
  if (linear) return undefined;
  const spans = findFields(line.bytes, ENTRY);
  const type = textField(line.bytes, spans, 0);
  const id = textField(line.bytes, spans, 1);
  if (type === undefined || type === "session" || id === undefined || id === "") return undefined;
  const { offset, length } = line;
  const parent_id = textField(line.bytes, spans, 2) || undefined;
  return { id, parent_id, type: TYPES.get(type) ?? type, offset, length, line: line.line };
}

/** So that not each entry keeps a text of its own. */
const TYPES = new Map(
  ["message", "model_change", "custom", "custom_message", "compaction", "label"]
    .map((type) => [type, type]),
);

/** A damaged line may still say what it follows: so the history before it is not lost with it. */
function addDamaged(indexing: Indexing, line: Line, records: readonly SourceRecord[]): void {
  const node = line.oversized ? undefined : scanEntry(indexing, line);
  if (node === undefined || records.some(({ value }) => value.id === node.id)) return;
  indexing.nodes.push({ ...node, damaged: true });
}

function indexRecord(indexing: Indexing, record: SourceRecord): void {
  const { value, position, salvaged } = record;
  const { account } = indexing.options;
  if (value.type === "session") {
    if (indexing.header !== undefined || indexing.nodes.some(({ damaged }) => !damaged)) {
      return countSide(account, "session", position.length);
    }
    indexing.header = record;
    indexing.linear = (asNumber(value.version) ?? 1) < 2;
    return count(account, "events", position.length);
  }
  const own = indexing.linear ? undefined : asName(value.id);
  indexing.nodes.push({
    id: own ?? syntheticId(indexing.nodes.length + 1),
    parent_id: own === undefined
      ? indexing.nodes.findLast(({ damaged }) => !damaged)?.id
      : asName(value.parentId),
    type: asText(value.type) ?? "unknown",
    ...position,
    ...(salvaged ? { salvaged } : {}),
  });
}

/**
 * The id of an entry without one. The first version counted the entries, the header being 0, and its
 * compactions name what they keep by this number.
 */
function syntheticId(index: number): string {
  return `#${index}`;
}

/** Whether an entry had no id, and follows the one before it in the file. */
export function isSynthetic({ id }: EntryNode): boolean {
  return id.startsWith("#");
}

/** The entry that a compaction keeps first, as it names it. */
export function firstKept(compaction: SourceRecord["value"]): string | undefined {
  const index = asNumber(compaction.firstKeptEntryIndex);
  return asName(compaction.firstKeptEntryId) ??
    (index === undefined ? undefined : syntheticId(index));
}
