/**
 * Finds the original calls of a handed-over session, in the form of the agent that made them. The
 * hand-over stored these calls in the session's own records, under the key `reprise`.
 */
import { parseExact } from "../../core/event/exact_json.ts";
import { isObject } from "../../core/event/guard.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { textPattern } from "../../core/log/byte_pattern.ts";
import { openToRead } from "../../core/log/byte_source.ts";
import type { Line } from "../../core/log/line_splitter.ts";
import { linesHolding } from "../../core/log/lines_holding.ts";
import { readAt } from "../../core/log/read_whole.ts";
import { isCallStatus, ORIGINALS_MARK } from "../../agents/engine/handed/line.ts";
import type { OriginalCall } from "../../agents/contract/session_writer.ts";

export type OriginalOf = (call_id: string) => OriginalCall | undefined;

interface Place {
  path: string;
  offset: number;
  length: number;
}

const MARK = textPattern(ORIGINALS_MARK);

/**
 * Finds the source session's calls in the agent's own record, or else in lines of its files. Only
 * the ids and offsets of these lines stay in memory, as inputs can be long.
 *
 * @throws {SessionError} `permission`, `io`, `unsupported-source`
 */
export async function findOriginalCalls(
  handle: SessionHandle,
  signal?: AbortSignal,
): Promise<OriginalOf> {
  const writer = await descriptorOf(handle.agent).loadWriter?.();
  const recorded = writer?.handedOriginals?.(handle.session);
  if (recorded !== undefined) {
    return (call_id) => {
      const calls = new Map<string, OriginalCall>();
      takeOriginals(recorded(call_id), calls);
      return calls.get(call_id);
    };
  }
  const places = new Map<string, Place>();
  // What comes last counts, and comes first here.
  for (const path of (await handle.files()).toReversed()) {
    for await (const { bytes, offset, length } of markedLines(path)) {
      signal?.throwIfAborted();
      const place = { path, offset, length };
      for (const id of originalsIn(bytes).keys()) if (!places.has(id)) places.set(id, place);
    }
  }
  if (places.size === 0) return () => undefined;
  let last: { place: Place; calls: Map<string, OriginalCall> } | undefined;
  return (call_id) => {
    const place = places.get(call_id);
    if (place === undefined) return undefined;
    if (last?.place !== place) last = { place, calls: originalsAt(place) };
    return last.calls.get(call_id);
  };
}

async function* markedLines(path: string): AsyncGenerator<Line> {
  using file = openToRead(path);
  yield* linesHolding(file, [MARK], { to: file.statSync().size });
}

function originalsAt({ path, offset, length }: Place): Map<string, OriginalCall> {
  using file = openToRead(path);
  return originalsIn(readAt(file, offset, new Uint8Array(length)));
}

function originalsIn(line: Uint8Array): Map<string, OriginalCall> {
  const calls = new Map<string, OriginalCall>();
  try {
    collect(parseExact(new TextDecoder().decode(line)), calls);
  } catch (error) {
    // SyntaxError: damaged. RangeError: it nests too deep.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return calls;
}

/** Collects the values of all keys `reprise`, at any depth. Agents nest these keys differently. */
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
  if (!isCallStatus(status) || typeof first !== "string") return undefined;
  const own = { id, name, status, from: first };
  return input === undefined ? own : { ...own, input };
}
