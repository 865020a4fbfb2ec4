/** Splits the output of the user's own reader program into records: a JSON object on each line. */
import { splitChunk, splitRest, startSplit } from "../../core/log/line_splitter.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { type RecordOptions, takeLine } from "../engine/records/taken_lines.ts";
import { readerOutput, type ReaderRun } from "./run_reader.ts";

export type PrintRun = (
  run: ReaderRun,
  options: { signal?: AbortSignal | undefined },
) => AsyncIterable<Uint8Array>;

/**
 * Yields the records of a run in batches. Damaged and blank lines are counted, and damaged lines
 * are reported.
 *
 * @throws {SessionError} From the iterator, with the codes of {@linkcode readerOutput}
 */
export async function* printedRecords(
  run: ReaderRun,
  options: RecordOptions = {},
  print: PrintRun = readerOutput,
): AsyncGenerator<SourceRecord[]> {
  const state = startSplit(options.max_line_bytes);
  for await (const chunk of print(run, { signal: options.signal })) {
    const records: SourceRecord[] = [];
    for (const line of splitChunk(state, chunk)) takeLine(line, records, options);
    state.returnable = undefined;
    if (records.length > 0) yield records;
  }
  const rest = splitRest(state);
  const records: SourceRecord[] = [];
  if (rest !== undefined) takeLine(rest, records, options);
  if (records.length > 0) yield records;
}
