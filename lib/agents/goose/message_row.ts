/** A message in a row of goose's database. */
import { parseJson } from "../../reading/sqlite/json_cell.ts";
import { asList, asName, asNumber, asObject, asText, present } from "../../reading/json_value.ts";
import type { RecordSink } from "../../reading/records/source_record.ts";
import { reportRow, type Row } from "../../reading/sqlite/sqlite_reader.ts";
import { type Fields, type GooseMessage, toMilliseconds } from "./goose_entry.ts";
import { visibilityOf } from "./visibility.ts";

/**
 * Reads a row as a message. One whose content is damaged is reported, and keeps its place: the others'
 * order depends on it.
 */
export function messageIn(
  row: Row,
  sink: RecordSink,
): { message: GooseMessage; weight: number } {
  const { role, message_id, created_timestamp, metadata_json } = row;
  const content = contentIn(row, sink);
  const message = {
    at: asNumber(row.id) ?? -1,
    id: asName(message_id) ?? String(row.id),
    role: asText(role) ?? "",
    created: toMilliseconds(created_timestamp),
    content: content ?? [],
    ...visibilityOf(metadata_json),
  };
  return { message, weight: content === undefined ? 0 : 1 };
}

function contentIn({ id, content_json }: Row, sink: RecordSink): Fields[] | undefined {
  const parsed = parseJson(content_json);
  const content = "value" in parsed ? contentOf(parsed.value) : undefined;
  if (content !== undefined) return content;
  const { code, detail } = "value" in parsed
    ? { code: "malformed-line" as const, detail: "is no list" }
    : parsed;
  const about = `content of row ${id} of table messages ${detail}`;
  reportRow(sink, { code, detail: about, ...present({ at: asNumber(id) }) });
  return undefined;
}

/** Reads a content: a list of items, or the plain text of the first versions. */
export function contentOf(value: unknown): Fields[] | undefined {
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value) ? asList(value).map(asObject) : undefined;
}
