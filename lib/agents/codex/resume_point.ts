/**
 * Where the conversation of a thread begins: at its newest compaction that says what takes the place
 * of all before it. It is looked for from the end, for those before it can be most of a file, and by
 * bytes, for most threads have none.
 */
import { linesFromEnd } from "../../log/backward_reader.ts";
import { openToRead } from "../../log/byte_source.ts";
import { readWhole } from "../../log/read_whole.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";
import { wordSearch } from "./byte_word.ts";
import { rolloutLines, type RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import { toRolloutRecord } from "./rollout_record.ts";

/** What a line means to who looks for the beginning. */
type Sign = "begins here" | "read it all" | undefined;

/** A sign, and where its line begins. */
interface Found {
  sign: Sign;
  offset: number;
}

/** In a text their quotes would be escaped. */
const SIGNS = ['"thread_rolled_back"', '"compacted"'];
const SEARCHES = SIGNS.map(wordSearch);
const LONGEST_SIGN = Math.max(...SIGNS.map(({ length }) => length));
const BLOCK_BYTES = 512 * 1024;

/**
 * The stretches from where the conversation begins: all of them where nothing was compacted.
 * Undefined when only a read from the start tells, because a rollback came since.
 */
export async function resumeStretches(
  stretches: readonly RolloutStretch[],
  signal?: AbortSignal,
): Promise<readonly RolloutStretch[] | undefined> {
  for (let index = stretches.length - 1; index >= 0; index--) {
    const stretch = stretches[index] as RolloutStretch;
    if (rolloutForm(stretch.path) !== "lines") return undefined;
    const { sign, offset } = await lastSign(stretch, signal);
    if (sign === "read it all") return undefined;
    if (sign !== undefined) return [{ ...stretch, from: offset }, ...stretches.slice(index + 1)];
  }
  return stretches;
}

/** The last sign in a stretch. */
async function lastSign(
  stretch: RolloutStretch,
  signal: AbortSignal | undefined,
): Promise<Found> {
  using file = await openToRead(stretch.path);
  const { size } = file.statSync();
  const to = Math.min(stretch.to ?? size, size);
  const room = new Uint8Array(BLOCK_BYTES + LONGEST_SIGN);
  for (let end = to; end > 0; end -= BLOCK_BYTES) {
    signal?.throwIfAborted();
    const start = Math.max(0, end - BLOCK_BYTES);
    file.seekSync(start, Deno.SeekMode.Start);
    // A word may begin in this block and end in the one behind it.
    const length = Math.min(to, end + LONGEST_SIGN - 1) - start;
    const block = readWhole(file, room.subarray(0, length));
    for (const place of placesIn(block)) {
      const found = await signAt(stretch, file, start + place);
      if (found.sign !== undefined) return found;
    }
  }
  return { sign: undefined, offset: 0 };
}

/** The places of all words that can be a sign, the last one first. */
function placesIn(block: Uint8Array): number[] {
  const places: number[] = [];
  for (const search of SEARCHES) {
    for (let at = search(block); at >= 0; at = search(block, at + 1)) places.push(at);
  }
  return places.sort((one, other) => other - one);
}

/** What the line around a word means. */
async function signAt(
  { path, to }: RolloutStretch,
  file: Deno.FsFile,
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
    if (type === "compacted" && Array.isArray(payload.replacement_history)) return "begins here";
  }
  return undefined;
}
