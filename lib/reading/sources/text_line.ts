/**
 * A line of a text file as text. Any bytes are text: only NUL runs of a power cut, and lines too long
 * to hold, are damage.
 */
import type { LinePosition } from "../../event/envelope.ts";
import type { DiagnosticCode } from "../../log/diagnostic.ts";
import type { Line } from "../../log/line_splitter.ts";
import { isUtf8 } from "../../event/bytes.ts";
import { count } from "../../source/source_account.ts";
import type { RecordSink } from "../records/source_record.ts";

/** A line of a text, its newline with it. */
export interface TextLine {
  text: string;
  position: LinePosition;
  /** Bytes that are neither damage nor blank. */
  weight: number;
}

const decoder = new TextDecoder();
const NUL = 0;
const BOM_BYTES = 3;

/** Returns a line as text; undefined when nothing of it is text. Counts what is damaged or blank. */
export function textLine(line: Line, sink: RecordSink): TextLine | undefined {
  const { bytes, offset, length, line: number, terminated } = line;
  const position = { offset, length, line: number };
  const find = (code: DiagnosticCode, detail: string, at = position): void => {
    if (code !== "invalid-utf8") count(sink.account, "damage", at.length);
    sink.report?.({ code, ...at, detail });
  };
  if (line.oversized) {
    find("oversized-line", `line has ${length} bytes`);
    return undefined;
  }
  const runs = nulRuns(bytes);
  const left = bytes.length - runs.reduce((sum, run) => sum + run.length, 0);
  if (runs.length > 0 && left === 0) {
    find("nul-run", "a run of NUL bytes");
    return undefined;
  }
  const lead = length - bytes.length >= BOM_BYTES + Number(terminated) ? BOM_BYTES : 0;
  for (const run of runs) {
    const at = { offset: offset + lead + run.offset, length: run.length, line: number };
    find("nul-run", "a run of NUL bytes", at);
  }
  const text = decoder.decode(runs.length === 0 ? bytes : bytes.filter((byte) => byte !== NUL));
  if (text.includes("\ufffd") && !isUtf8(bytes)) {
    find("invalid-utf8", "bytes that are no UTF-8 are shown as U+FFFD");
  }
  const whole = length - (bytes.length - left);
  const blank = text.trim() === "";
  if (blank) count(sink.account, "blank", whole);
  return { text: terminated ? `${text}\n` : text, position, weight: blank ? 0 : whole };
}

function nulRuns(bytes: Uint8Array): { offset: number; length: number }[] {
  const runs: { offset: number; length: number }[] = [];
  for (let offset = bytes.indexOf(NUL); offset >= 0; offset = bytes.indexOf(NUL, offset)) {
    const start = offset;
    while (bytes[offset] === NUL) offset++;
    runs.push({ offset: start, length: offset - start });
  }
  return runs;
}
