/**
 * Where the conversation of a thread begins: at its newest compaction that says what takes the place
 * of all before it. It is looked for from the end, for those before it can be most of a file.
 */
import { linesFromEnd } from "../../log/backward_reader.ts";
import { openToRead } from "../../log/byte_source.ts";
import type { Line } from "../../log/line_splitter.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";
import { lineType } from "./rollout_line.ts";
import type { RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import { toRolloutRecord } from "./rollout_record.ts";

/** What a line means to who looks for the beginning. */
type Sign = "begins here" | "read it all" | undefined;

/**
 * The stretches from where the conversation begins. Undefined when only a read from the start tells:
 * a rollback came since, or there is no compaction.
 */
export async function resumeStretches(
  stretches: readonly RolloutStretch[],
  signal?: AbortSignal,
): Promise<RolloutStretch[] | undefined> {
  for (let index = stretches.length - 1; index >= 0; index--) {
    const stretch = stretches[index] as RolloutStretch;
    if (rolloutForm(stretch.path) !== "lines") return undefined;
    const found = await beginningIn(stretch, signal);
    if (found === "read it all") return undefined;
    if (found !== undefined) return [{ ...stretch, from: found }, ...stretches.slice(index + 1)];
  }
  return undefined;
}

async function beginningIn(
  { path, to }: RolloutStretch,
  signal: AbortSignal | undefined,
): Promise<number | "read it all" | undefined> {
  using file = await openToRead(path);
  for await (const lines of linesFromEnd(file, to === undefined ? {} : { to })) {
    signal?.throwIfAborted();
    for (const line of lines) {
      const sign = signOf(line);
      if (sign === "read it all") return sign;
      if (sign === "begins here") return line.offset;
    }
  }
  return undefined;
}

function signOf(line: Line): Sign {
  const type = lineType(line.bytes);
  if (type === "event_msg/thread_rolled_back") return "read it all";
  if (type !== undefined && type !== "compacted") return undefined;
  const records: SourceRecord[] = [];
  parseRecords(line, records);
  for (const { type, payload } of records.map(toRolloutRecord)) {
    if (type === "event_msg/thread_rolled_back") return "read it all";
    if (type === "compacted" && Array.isArray(payload.replacement_history)) return "begins here";
  }
  return undefined;
}
