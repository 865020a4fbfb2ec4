/**
 * Merges the events of several sessions into one. The originals are only read.
 *
 * @module
 */
import type { ParentInfo } from "../../event/payload.ts";
import { SessionError } from "../../event/session_error.ts";
import type { Diagnostic } from "../../log/diagnostic.ts";
import { readEvents } from "../../log/read_events.ts";
import type { NewLog } from "../create_log.ts";
import type { ReadEvent } from "../session_line.ts";
import { headOf, isWhole, marked, withSource } from "./fork_session.ts";
import type { WholeEvent } from "./log_draft.ts";
import { inMergedOrder, isLeftOut, type PlacedEvent, toMerged } from "./merged_events.ts";
import { bytesOf, type CopySource, type LogSurvey, surveyLog } from "./survey_log.ts";
import { writeSession, type WrittenSession } from "./write_session.ts";

/** Title and directory of a merged session, and callbacks of {@linkcode LocalStore.merge}. */
export interface MergeOptions {
  /** The title of the new session. @default {the different titles of the sessions, joined} */
  title?: string;
  /** The working directory of the new session. @default {the directory of the first session} */
  cwd?: string;
  /** Receives the diagnostics of each session's log. @default {nothing} */
  report?: (diagnostic: Diagnostic, session_id: string) => void;
  /** Cancels the merge, and leaves no files behind. */
  signal?: AbortSignal;
  /** Receives the bytes copied so far and the total bytes. @default {nothing} */
  onProgress?: (done: number, all: number) => void;
}

/** The written session, and the sessions from which it was merged. */
export interface MergedSession extends WrittenSession {
  /** The first of the merged sessions. `seq` is the new number of its last copied event. */
  parent: ParentInfo & { seq: number };
  /** The merged sessions, each with its number of events in the new session. */
  merged: { session_id: string; events: number }[];
}

interface Part {
  source: CopySource;
  survey: LogSurvey;
  /** Prefix for turn, call and message ids of the session; empty for the first session. */
  prefix: string;
}

function assertMergeable(sources: readonly CopySource[]): void {
  const ids = sources.map(({ session_id }) => session_id);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  const reason = twice === undefined
    ? ids.length < 2 ? "give at least two sessions" : undefined
    : `session ${twice} is given twice`;
  if (reason !== undefined) {
    throw new SessionError("invalid-ref", `Cannot merge sessions: ${reason}`, { candidates: ids });
  }
}

async function survey(
  sources: readonly CopySource[],
  { signal }: MergeOptions,
): Promise<Omit<Part, "prefix">[]> {
  const parts: Omit<Part, "prefix">[] = [];
  for (const source of sources) {
    parts.push({ source, survey: await surveyLog(source, { signal }) });
  }
  return parts;
}

/** Returns the prefix for ids. The new session's id in it makes it unique across merges. */
function prefixOf(session_id: string, index: number): string {
  return index === 0 ? "" : `${session_id.slice(0, 8)}-${index + 1}-`;
}

async function* readPart(
  { source, survey: { bytes } }: Part,
  { report, signal }: MergeOptions,
  onRead: (bytes: number) => void,
): AsyncGenerator<ReadEvent[]> {
  const { path, session_id } = source;
  const reportHere = report && ((diagnostic: Diagnostic) => report(diagnostic, session_id));
  for await (const events of readEvents(path, { to: bytes, report: reportHere, signal })) {
    onRead(bytesOf(events));
    yield events.filter(isWhole).filter((event) => !isLeftOut(event));
  }
}

function renumbered({ event, index }: PlacedEvent, parts: readonly Part[], seq: number): ReadEvent {
  const part = parts[index];
  if (part === undefined) {
    throw new TypeError(`Cannot merge sessions: no session has the number ${index}`);
  }
  const copy = withSource(event, part.source.session_id);
  return { ...toMerged(copy, part.prefix), seq } as ReadEvent;
}

function progressOf(
  parts: readonly Pick<Part, "survey">[],
  { onProgress }: MergeOptions,
): (bytes: number) => void {
  const all = parts.reduce((sum, { survey: { bytes } }) => sum + bytes, 0);
  let done = 0;
  return (bytes) => onProgress?.(done += bytes, all);
}

function titleOf(sources: readonly CopySource[], { title }: MergeOptions): string | undefined {
  const titles = sources.flatMap((source) => source.title === "" ? [] : [source.title]);
  return title ?? (titles.length === 0 ? undefined : [...new Set(titles)].join(" + "));
}

/**
 * Merges sessions into a new session. It has the turns of all sessions, in the order in which the
 * turns began.
 *
 * @throws {SessionError} `invalid-ref` for fewer than two sessions, or for the same session twice;
 * and as {@linkcode writeSession}.
 */
export async function mergeSessions(
  sources: readonly CopySource[],
  plan: NewLog,
  cwd: string,
  options: MergeOptions,
): Promise<MergedSession> {
  assertMergeable(sources);
  const surveyed = await survey(sources, options);
  const merged = surveyed.map(({ source, survey: { count, checkpoints } }) => ({
    session_id: source.session_id,
    events: count - checkpoints,
  }));
  const through = 1 + merged.reduce((sum, { events }) => sum + events, 0);
  const parent = { session_id: sources[0]?.session_id ?? "", seq: through, reason: "merge" };
  const now = plan.created.toISOString();
  const write = async function* (session_id: string): AsyncGenerator<WholeEvent[]> {
    const parts = surveyed.map((part, index) => ({ ...part, prefix: prefixOf(session_id, index) }));
    const own = { session_id, created_at: now, cwd, parent };
    const payload = headOf(parts[0]?.survey, own, titleOf(sources, options));
    const titled = options.title === undefined &&
      sources.some(({ title, altered }) => altered && title !== "");
    const altered = titled || parts[0]?.survey.altered;
    const head = marked({ seq: 1, kind: "session_started", time: now, payload }, altered);
    yield [head];
    let seq = head.seq;
    const onRead = progressOf(surveyed, options);
    for await (
      const placed of inMergedOrder(parts.map((part) => readPart(part, options, onRead)))
    ) {
      yield placed.map((event) => renumbered(event, parts, ++seq));
    }
  };
  const { signal } = options;
  const written = await writeSession(plan, write, { updated_at: now, signal });
  return { ...written, parent, merged };
}
