/**
 * Reads entries of lines that are at hand.
 */
import type { Line } from "../../log/line_splitter.ts";
import { recordsInLines } from "../../reading/records/records_in_lines.ts";
import { SALVAGED } from "../../reading/tree/record_index.ts";
import type { EntryReader } from "./prompt.ts";

const decoder = new TextDecoder("latin1");
/** In this much of a line pi says who speaks. */
const ROLE_BYTES = 320;
const ROLE = /"message":\{"role":"(\w+)"/;

/** A reader of the entries of lines. */
export function lineReader(lines: readonly Line[]): EntryReader {
  const records = recordsInLines(lines);
  return {
    role(node): string | undefined {
      const line = node.has(SALVAGED) ? undefined : records.line(node.place);
      if (line === undefined || node.type !== "message") return undefined;
      return ROLE.exec(decoder.decode(line.bytes.subarray(0, ROLE_BYTES)))?.[1];
    },
    record: (node) => node.damaged ? undefined : records.record(node.place),
  };
}
