/**
 * Parses entries of lines that are at hand, when they are asked for and not before.
 */
import type { Line } from "../../log/line_splitter.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";
import type { EntryNode } from "./entry_index.ts";
import type { EntryReader } from "./prompt.ts";

const decoder = new TextDecoder("latin1");
/** In this much of a line pi says who speaks. */
const ROLE_BYTES = 320;
const ROLE = /"message":\{"role":"(\w+)"/;

/** A reader of the entries of lines. */
export function lineReader(lines: readonly Line[]): EntryReader {
  const byOffset = new Map(lines.map((line) => [line.offset, line]));
  const records = new Map<EntryNode, SourceRecord | undefined>();
  const lineOf = (node: EntryNode): Line | undefined =>
    byOffset.get(node.offset) ??
      lines.find(({ offset, length }) => offset < node.offset && node.offset < offset + length);
  return {
    role(node): string | undefined {
      const line = node.salvaged ? undefined : lineOf(node);
      if (line === undefined || node.type !== "message") return undefined;
      return ROLE.exec(decoder.decode(line.bytes.subarray(0, ROLE_BYTES)))?.[1];
    },
    record(node): SourceRecord | undefined {
      if (!records.has(node)) records.set(node, recordIn(lineOf(node), node));
      return records.get(node);
    },
  };
}

function recordIn(line: Line | undefined, node: EntryNode): SourceRecord | undefined {
  const records: SourceRecord[] = [];
  if (line !== undefined && !node.damaged) parseRecords(line, records);
  return records.find(({ position }) => position.offset === node.offset);
}
