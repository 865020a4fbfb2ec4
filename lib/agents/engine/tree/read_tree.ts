/** Reads a path of a session as events: its head, then its records from the root on. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { EventKind } from "../../../core/event/payload.ts";
import type { AgentReadOptions, AgentSession } from "../../contract/agent.ts";
import { count, countSide } from "../../contract/source_account.ts";
import { EventWriter } from "../events/event_writer.ts";
import { type BranchStart, type PlacesAt, type TreePlace, writerAt } from "./branch_starts.ts";
import { present } from "../json.ts";
import { findPath, type LivePath, reportBroken, type ThreadSource } from "./live_path.ts";
import type { TreePath } from "./path_format.ts";
import { readSteps, type ReadStepsOptions } from "./read_steps.ts";
import {
  DAMAGED,
  hasFlag,
  hostOf,
  LINK,
  recordName,
  REPEATED,
  type TreeIndex,
} from "./record_index.ts";
import { rowOfStep, type Steps } from "./steps.ts";
import type { TreeFormat, TreeReading, TreeSink } from "./tree_format.ts";

export interface OpenPath {
  session: AgentSession;
  options: AgentReadOptions;
  path: LivePath;
}

/** Finds the path to read in a session's file. Reports damage, and counts the file's bytes. */
export async function openPath(
  format: TreeFormat,
  session: AgentSession,
  options: AgentReadOptions,
  { in_force, ...source }: ThreadSource,
): Promise<OpenPath> {
  const is_cut = in_force === true && format.inForce === undefined;
  const path = await findPath(format, { ...source, in_force: is_cut }, options);
  await accountFor(format, source.path, session, path, options);
  reportBroken(path, options.report);
  return { session: { ...session, path: source.path }, options, path };
}

export async function* readPath(
  format: TreeFormat,
  session: AgentSession,
  options: AgentReadOptions,
  source: ThreadSource,
): AsyncGenerator<readonly LogEvent[]> {
  yield* openedEvents(format, await openPath(format, session, options, source));
}

/**
 * Yields the events on the path of {@linkcode openPath}. With `in_force`, skips steps that the
 * model no longer gets.
 */
export async function* openedEvents(
  format: TreeFormat,
  open: OpenPath,
): AsyncGenerator<readonly LogEvent[]> {
  const { session, options, path } = open;
  const from = options.in_force ? await format.inForce?.(session, path) ?? 0 : 0;
  const steps = path.steps.subarray(from);
  for await (const { events } of pathEvents(format, open, { steps })) yield events;
}

interface PathPart {
  steps?: Steps;
  /** The resume point to read from, either as `place` or, with its event writer, as `start`. */
  place?: TreePlace | undefined;
  start?: BranchStart | undefined;
  /** Receives the resume points from which branches of this path are read later. */
  places?: PlacesAt<BranchStart>;
  /** True if compactions may refer to earlier records. @default {true} */
  named?: boolean;
}

/** A batch of events, and the first resume point within it, if any. */
interface PathEvents {
  events: LogEvent[];
  place?: TreePlace;
}

export async function* pathEvents(
  format: TreeFormat,
  { session, options, path }: OpenPath,
  { steps = path.steps, start, place = start, places, named = true }: PathPart,
): AsyncGenerator<PathEvents> {
  if (steps.length === 0 && !format.hasHead(path.index.head)) return;
  const { needs, report, signal, in_force = false } = options;
  const readingOf = (writer: TreeSink): TreeReading => ({
    ...{ session, writer, needs, report, in_force },
  });
  const first = new EventWriter(session, place === undefined ? needs : NOTHING, { named });
  const begun = await format.begin(readingOf(first), path);
  const head = first.seq;
  const writer = place === undefined
    ? first
    : start === undefined
    ? new EventWriter(session, needs, { behind: place.seq, named })
    : writerAt(session, needs, start, head);
  const state = place === undefined
    ? begun
    : format.restoreState(place.state, readingOf(writer), path, begun);
  let { at, way } = place ?? { at: 0, way: 0 };
  const placeBehind = (): BranchStart | undefined => {
    const saved = format.saveState(state);
    return saved === undefined
      ? undefined
      : { seq: writer.seq, at, way, head, state: saved, writer };
  };
  const batches = stepsOf(format, session.path, path, steps.subarray(at), state, {
    ...path.thorough ? {} : { report },
    ...{ signal, bodies_only: in_force },
  });
  for await (const batch of batches) {
    let settled: BranchStart | undefined;
    for (const { node, records } of batch) {
      format.emit(records, node, state);
      at++;
      way += path.index.offset[node.row] as number;
      settled ??= placeBehind();
      places?.pass(at, placeBehind);
    }
    yield present({ events: writer.take(), place: settled && lasting(settled) });
  }
  format.end?.(state);
  yield { events: writer.take() };
}

const NOTHING: ReadonlySet<EventKind> = new Set();

function lasting({ writer: _, ...place }: BranchStart): TreePlace {
  return place;
}

/** Returns the number of events that `begin` emits before the path's first record is read. */
export async function headOf(format: TreeFormat, { session, path }: OpenPath): Promise<number> {
  const writer = new EventWriter(session, NOTHING);
  await format.begin({ session, writer, needs: NOTHING, report: undefined, in_force: false }, path);
  return writer.seq;
}

export function stepsOf(
  format: TreeFormat,
  file: string,
  { index }: TreePath,
  steps: Steps,
  state: unknown,
  options: ReadStepsOptions,
): ReturnType<typeof readSteps> {
  const { isNeeded } = format;
  return readSteps(format, file, index, steps, {
    ...options,
    isNeeded: isNeeded === undefined ? undefined : (row) => isNeeded(state, row),
  });
}

/** Yields the events of a path's records, without the events that `begin` emits. */
export async function* ownEvents(
  format: TreeFormat,
  session: AgentSession,
  path: TreePath,
  needs: ReadonlySet<EventKind>,
): AsyncGenerator<LogEvent[]> {
  const writer = new EventWriter(session, needs);
  const reading = { session, writer, needs, report: undefined, in_force: false };
  const state = format.restoreState(undefined, reading, path);
  for await (const batch of stepsOf(format, session.path, path, path.steps, state, {})) {
    for (const { node, records } of batch) format.emit(records, node, state);
    yield writer.take();
  }
  format.end?.(state);
  yield writer.take();
}

/**
 * Counts the bytes of a file's records: on the path, on another path, or outside the dialogue.
 * Damage is already counted. Of records with the same id, only the last counts as on the path.
 * Pieces of one record all count.
 */
async function accountFor(
  format: TreeFormat,
  file: string,
  session: AgentSession,
  { index, steps }: LivePath,
  { account }: AgentReadOptions,
): Promise<void> {
  if (account === undefined) return;
  const live = new Uint8Array(index.count);
  for (const step of steps) live[rowOfStep(step)] = 1;
  const inner = await format.innerAgents?.(file, index, format.subagents?.(session) ?? []) ?? [];
  const inside = new Set(inner.flatMap(({ rows }) => rows));
  for (let row = 0; row < index.count; row++) {
    if (hasFlag(index, row, DAMAGED) || format.isBeside?.(index, row)) continue;
    const length = index.length[row] as number;
    if (live[hostOf(index, row)] === 1) count(account, "events", length);
    else {
      const side = inside.has(row) ? "sidechain" : sideOf(format, index, row);
      if (side === undefined) count(account, "dead", length);
      else countSide(account, side, length);
    }
  }
}

/** Returns the type to count for a record that is on no branch. Undefined for a branch's record. */
function sideOf(format: TreeFormat, index: TreeIndex, row: number): string | undefined {
  const is_piece = index.ids.joined.has(row);
  if (hasFlag(index, row, REPEATED) && !is_piece) return "repeated";
  return format.countsAs?.(index, row) ??
    (hasFlag(index, row, LINK) ? recordName(index, row) : undefined);
}
