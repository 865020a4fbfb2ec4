/**
 * Finds where a thread's conversation begins: its newest compaction that replaces all before it.
 * The search runs from the end, because earlier ones can be most of a file. It runs on bytes,
 * because most threads have none.
 */
import { linesFromEnd } from "../../log/backward_reader.ts";
import { type ByteFinder, makeByteFinder } from "../../log/byte_finder.ts";
import { ESCAPED_LETTER, textPattern } from "../../log/byte_pattern.ts";
import { readOpened } from "../../log/byte_source.ts";
import { readWhole } from "../../log/read_whole.ts";
import { type OpenFile, SeekMode } from "../../platform/file_system.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";
import { rolloutLines, type RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import { toRolloutRecord } from "./rollout_record.ts";

/** What a line means to who looks for the beginning. */
type Sign = "begins here" | "read it all" | "replaces" | undefined;

/** A sign, and where its line begins. */
interface Found {
  sign: Sign;
  offset: number;
}

/** The last sign in a stretch that tells from where to read. */
interface LastSign extends Found {
  /** Behind it an old compaction replaces what came before. */
  replaces: boolean;
}

/** In a text their quotes would be escaped. */
const SIGNS = ['"thread_rolled_back"', '"compacted"'];
const PATTERNS = [...SIGNS.map(textPattern), ESCAPED_LETTER];
const LONGEST_SIGN = Math.max(...SIGNS.map(({ length }) => length));
const BLOCK_BYTES = 512 * 1024;

/** From where a conversation is read. */
export interface ResumePoint {
  stretches: readonly RolloutStretch[];
  /** Behind its first line there is no compaction, not even an old one with a summary alone. */
  settled: boolean;
}

/**
 * The stretches from where the conversation begins: all of them where nothing was compacted.
 * Undefined when only a read from the start tells, because a rollback came since.
 */
export async function resumeStretches(
  stretches: readonly RolloutStretch[],
  signal?: AbortSignal,
): Promise<ResumePoint | undefined> {
  let settled = true;
  for (let index = stretches.length - 1; index >= 0; index--) {
    const stretch = stretches[index] as RolloutStretch;
    if (rolloutForm(stretch.path) !== "lines") return undefined;
    const { sign, offset, replaces } = await lastSign(stretch, signal);
    settled &&= !replaces;
    if (sign === "read it all") return undefined;
    if (sign === undefined) continue;
    return { stretches: [{ ...stretch, from: offset }, ...stretches.slice(index + 1)], settled };
  }
  return { stretches, settled };
}

/** The last sign in a stretch. */
async function lastSign(
  stretch: RolloutStretch,
  signal: AbortSignal | undefined,
): Promise<LastSign> {
  return await readOpened(stretch.path, async (file) => {
    let replaces = false;
    let line = Infinity;
    const { size } = file.statSync();
    const to = Math.min(stretch.to ?? size, size);
    const finder = makeByteFinder(Math.min(BLOCK_BYTES + LONGEST_SIGN, to));
    for (let end = to; end > 0; end -= BLOCK_BYTES) {
      signal?.throwIfAborted();
      const start = Math.max(0, end - BLOCK_BYTES);
      file.seekSync(start, SeekMode.Start);
      // A word may begin in this block and end in the one behind it.
      const length = Math.min(to, end + LONGEST_SIGN - 1) - start;
      const block = readWhole(file, finder.bytes.subarray(0, length));
      for (const place of placesIn(finder, block.length)) {
        // A line may hold many.
        if (start + place >= line) continue;
        const found = await signAt(stretch, file, start + place);
        line = found.offset;
        if (found.sign === "replaces") replaces = true;
        else if (found.sign !== undefined) return { ...found, replaces };
      }
    }
    return { sign: undefined, offset: 0, replaces };
  });
}

/** The places of all words that can be a sign, the last one first. */
function placesIn(finder: ByteFinder, end: number): number[] {
  const places: number[] = [];
  for (const pattern of PATTERNS) {
    for (
      let at = finder.find(pattern, 0, end);
      at >= 0;
      at = finder.find(pattern, at + 1, end)
    ) places.push(at);
  }
  return places.sort((one, other) => other - one);
}

/** What the line around a word means. */
async function signAt(
  { path, to }: RolloutStretch,
  file: OpenFile,
  place: number,
): Promise<Found> {
  let from = 0;
  for await (const lines of linesFromEnd(file, { to: place + 1 })) {
    if (lines[0] === undefined) continue;
    from = lines[0].offset;
    break;
  }
  const range = to === undefined ? { path, from } : { path, from, to };
  for await (const [line] of rolloutLines(range)) {
    if (line === undefined) continue;
    const records: SourceRecord[] = [];
    parseRecords(line, records);
    return { sign: signOf(records), offset: from };
  }
  return { sign: undefined, offset: from };
}

function signOf(records: readonly SourceRecord[]): Sign {
  for (const { type, payload } of records.map(toRolloutRecord)) {
    if (type === "event_msg/thread_rolled_back") return "read it all";
    if (type === "compacted") {
      return Array.isArray(payload.replacement_history) ? "begins here" : "replaces";
    }
  }
  return undefined;
}
