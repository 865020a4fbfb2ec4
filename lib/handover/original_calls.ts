/**
 * Finds the calls of a session that was handed over before, as they were in the agent that made
 * them. They stand in its own records, under a key of ours.
 */
import { isObject } from "../event/guard.ts";
import { parseExact } from "../event/exact_json.ts";
import type { CallStatus } from "../event/message.ts";
import { openToRead } from "../log/byte_source.ts";
import { textPattern } from "../log/byte_pattern.ts";
import { lineBlocksInTurns } from "../log/line_blocks.ts";
import { readAt } from "../log/read_whole.ts";
import { loadAgent } from "../library/registry.ts";
import { ORIGINALS_MARK } from "../agents/handed_line.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import type { OriginalCall } from "../source/session_writer.ts";

/** Gives the call as it was; undefined for one that was made where it is. */
export type OriginalOf = (call_id: string) => OriginalCall | undefined;

/** A line that names original calls. */
interface Place {
  path: string;
  offset: number;
  length: number;
}

const MARK = textPattern(ORIGINALS_MARK);
const LINE_FEED = 0x0a;
const STATUSES: ReadonlySet<unknown> = new Set<CallStatus>([
  "ok",
  "error",
  "interrupted",
  "skipped",
]);

/**
 * Finds them: as the agent tells, else in the lines of the files. Of those only the ids are held, and
 * where they stand, for inputs can be as long as files.
 *
 * @throws {SessionError} `permission`, `io`, `unsupported-source`
 */
export async function findOriginalCalls(
  handle: SessionHandle,
  signal?: AbortSignal,
): Promise<OriginalOf> {
  const { handedOriginals } = await loadAgent(handle.session.agent);
  if (handedOriginals !== undefined) {
    const recorded = handedOriginals(handle.session);
    return (call_id) => {
      const calls = new Map<string, OriginalCall>();
      takeOriginals(recorded(call_id), calls);
      return calls.get(call_id);
    };
  }
  const places = new Map<string, Place>();
  for (const path of await handle.files()) {
    for await (const place of markedLines(path, signal)) {
      for (const id of originalsIn(place).keys()) places.set(id, place);
    }
  }
  if (places.size === 0) return () => undefined;
  let last: { place: Place; calls: Map<string, OriginalCall> } | undefined;
  return (call_id) => {
    const place = places.get(call_id);
    if (place === undefined) return undefined;
    if (last?.place !== place) last = { place, calls: originalsIn(place) };
    return last.calls.get(call_id);
  };
}

/** The lines of a file that hold the mark. */
async function* markedLines(path: string, signal?: AbortSignal): AsyncGenerator<Place> {
  for await (const { finder, end, offset } of lineBlocksInTurns(path, signal)) {
    for (let at = finder.find(MARK, 0, end); at >= 0;) {
      const start = finder.bytes.lastIndexOf(LINE_FEED, at) + 1;
      const feed = finder.bytes.indexOf(LINE_FEED, at);
      const stop = feed < 0 || feed > end ? end : feed;
      yield { path, offset: offset + start, length: stop - start };
      at = stop < end ? finder.find(MARK, stop, end) : -1;
    }
  }
}

/** The original calls in a line; none where it is no JSON. */
function originalsIn({ path, offset, length }: Place): Map<string, OriginalCall> {
  using file = openToRead(path);
  const bytes = readAt(file, offset, new Uint8Array(length));
  const calls = new Map<string, OriginalCall>();
  try {
    collect(parseExact(new TextDecoder().decode(bytes)), calls);
  } catch (error) {
    // SyntaxError: damaged. RangeError: it nests too deep.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return calls;
}

/** Looks for the key in a value: agents put their records in different places. */
function collect(value: unknown, calls: Map<string, OriginalCall>): void {
  if (Array.isArray(value)) {
    for (const one of value) collect(one, calls);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (name === "reprise") takeOriginals(member, calls);
      else collect(member, calls);
    }
  }
}

function takeOriginals(value: unknown, calls: Map<string, OriginalCall>): void {
  if (!isObject(value) || typeof value.from !== "string" || !isObject(value.calls)) return;
  for (const [id, call] of Object.entries(value.calls)) {
    const original = toOriginal(call, value.from);
    if (original !== undefined) calls.set(id, original);
  }
}

function toOriginal(value: unknown, from: string): OriginalCall | undefined {
  if (!isObject(value)) return undefined;
  const { id, name, input, status, from: first = from } = value;
  if (typeof id !== "string" || id === "" || typeof name !== "string") return undefined;
  if (!STATUSES.has(status) || typeof first !== "string") return undefined;
  const own = { id, name, status: status as CallStatus, from: first };
  return input === undefined ? own : { ...own, input };
}
