/** Indexes pi's entries: each names the one that it follows. */
import { fieldNames, findFields, textField } from "../../log/json_bytes/find_fields.ts";
import { asName, asNumber, asText } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { Indexed, NodeFacts, TreeIndex } from "../../reading/tree/tree_format.ts";

/** The index's notes on a session. */
export interface PiHead {
  /** The first line, unless it was lost. */
  header?: SourceRecord;
  /** True where entries follow each other in the order of the file. */
  linear: boolean;
}

const ENTRY = fieldNames("type", "id", "parentId");

/** Returns the facts of an entry by the first fields of its line; undefined where these do not tell. */
export function scanEntry(line: Uint8Array, { head }: TreeIndex<PiHead>): NodeFacts | undefined {
  if (head.linear) return undefined;
  const spans = findFields(line, ENTRY);
  const type = textField(line, spans, 0);
  const id = textField(line, spans, 1);
  if (type === undefined || type === "session" || id === undefined || id === "") return undefined;
  return { id, parent_id: textField(line, spans, 2) || undefined, type: TYPES.get(type) ?? type };
}

/** So that not each entry keeps a text of its own. */
const TYPES = new Map(
  ["message", "model_change", "custom", "custom_message", "compaction", "label"]
    .map((type) => [type, type]),
);

/** Tells where a line belongs: the header, once, and entries. */
export function indexEntry(record: SourceRecord, { head, nodes }: TreeIndex<PiHead>): Indexed {
  const { value } = record;
  if (value.type === "session") {
    if (head.header !== undefined || nodes.some(({ damaged }) => !damaged)) {
      return { beside: "session" };
    }
    head.header = record;
    head.linear = (asNumber(value.version) ?? 1) < 2;
    return "head";
  }
  const own = head.linear ? undefined : asName(value.id);
  return {
    id: own ?? syntheticId(nodes.length + 1),
    parent_id: own === undefined
      ? nodes.findLast(({ damaged }) => !damaged)?.id
      : asName(value.parentId),
    type: asText(value.type) ?? "unknown",
  };
}

/**
 * The id of an entry without one. The first version counted the entries, the header being 0, and its
 * compactions name what they keep by this number.
 */
function syntheticId(index: number): string {
  return `#${index}`;
}

/** True where an entry had no id, and follows the one before it in the file. */
export function isSynthetic({ id }: NodeFacts): boolean {
  return id.startsWith("#");
}

/** Returns the entry that a compaction keeps first, as it names it. */
export function firstKept(compaction: SourceRecord["value"]): string | undefined {
  const index = asNumber(compaction.firstKeptEntryIndex);
  return asName(compaction.firstKeptEntryId) ??
    (index === undefined ? undefined : syntheticId(index));
}
