/**
 * The steps of a branch whose lines are at hand.
 */
import type { Line } from "../../log/line_splitter.ts";
import { recordsInLines } from "../../reading/records/records_in_lines.ts";
import type { RecordIndex } from "./index/record_index.ts";
import { rowOfStep } from "./path/steps.ts";
import type { ReadStep } from "./read_rows.ts";

/** Gives the records of steps from lines; each line is parsed once, when it is asked for. */
export function stepsInLines(
  lines: readonly Line[],
  index: RecordIndex,
): (step: number) => ReadStep {
  const records = recordsInLines(lines);
  return (step) => {
    const row = rowOfStep(step);
    const record = records.record({
      offset: index.offset[row] as number,
      length: index.length[row] as number,
      line: index.line[row] as number,
    });
    return record === undefined ? { step } : { step, record };
  };
}
