/**
 * Forks a session. The original session is only read, and another process may write it meanwhile.
 *
 * @module
 */
import type { Event, EventSource, LogEvent } from "../../event/envelope.ts";
import type { ParentInfo, SessionStartedPayload } from "../../event/payload.ts";
import { openedCalls } from "../../event/opened_calls.ts";
import { present } from "../../event/present.ts";
import { SessionError } from "../../event/session_error.ts";
import type { Report } from "../../log/diagnostic.ts";
import { excerpt } from "../../projection/excerpt.ts";
import { applySummary, summary, type SummaryState, toSummary } from "../../projection/summary.ts";
import type { NewLog } from "../create_log.ts";
import type { WholeEvent } from "./log_draft.ts";
import type { ReadEvent } from "../session_line.ts";
import {
  bytesOf,
  type CopySource,
  eventsOf,
  isHead,
  type LogSurvey,
  surveyLog,
} from "./survey_log.ts";
import { writeSession, type WrittenSession } from "./write_session.ts";

/** Options of {@linkcode LocalStore.makeFork}. */
export interface CopyOptions {
  /** The fork's session id, valid as for a new session. @default {result of the store's `newId`} */
  id?: string | undefined;
  /** Number of the last event to copy. @default {the original's last event} */
  seq?: number | undefined;
  /** The fork's title. @default {the title given to the original, else the fork's first prompt} */
  title?: string | undefined;
  /** The working directory of the fork. @default {the directory of the original} */
  cwd?: string | undefined;
  /** Receives the diagnostics of the copied part of the log. @default {nothing} */
  report?: Report | undefined;
  /** Cancels the fork, and leaves no files behind. */
  signal?: AbortSignal | undefined;
  /** Receives the bytes copied so far and the total bytes. @default {nothing} */
  onProgress?: ((done: number, all: number) => void) | undefined;
}

/** The new session of a fork, with its original and its number of calls without a result. */
export interface ForkedSession extends WrittenSession {
  /** The original session, and the number of the last copied event. */
  parent: ParentInfo & { seq: number };
  /** Number of the last event of the original. */
  parent_last_seq: number;
  /** Number of calls without a result in the copied events. The model is told about them. */
  open_calls: number;
}

export function withSource(event: ReadEvent, session_id: string): ReadEvent {
  const source: EventSource = { session_id, seq: event.seq };
  return event.source === undefined ? { ...event, source } : event;
}

/** True for a parsed event. Reading without a choice of kinds parses all events. */
export function isWhole(event: LogEvent): event is ReadEvent {
  return event.form !== "unparsed";
}

export function copyDirectory(source: CopySource, cwd: string | undefined): string {
  const directory = cwd ?? source.cwd;
  if (directory !== undefined) return directory;
  const { session_id, path } = source;
  const message =
    `Cannot copy session ${session_id}: the session's log does not record a directory; give ` +
    "a directory";
  throw new SessionError("damaged", message, { path });
}

interface Copied {
  state: SummaryState;
  open: Map<string, number>;
}

function note(copied: Copied, event: ReadEvent): void {
  const { open } = copied;
  copied.state = applySummary(copied.state, event);
  if (event.form !== "known") return;
  for (const { call_id } of openedCalls(event)) open.set(call_id, (open.get(call_id) ?? 0) + 1);
  const { kind, payload } = event;
  if (kind === "tool_end" || kind === "bash_end") {
    const count = (open.get(payload.call_id) ?? 0) - 1;
    if (count > 0) open.set(payload.call_id, count);
    else open.delete(payload.call_id);
  }
}

export function headOf(
  survey: Pick<LogSurvey, "started"> | undefined,
  own: Pick<SessionStartedPayload, "session_id" | "created_at" | "cwd" | "parent">,
  title: string | undefined,
): SessionStartedPayload {
  const started: SessionStartedPayload = survey?.started ?? own;
  const { imported_from: _, ...kept } = started;
  return { ...kept, ...own, ...present({ title }) };
}

export function marked(event: Event, altered: boolean | undefined): ReadEvent {
  return { ...event, form: "known", integrity: altered ? "mismatch" : "verified" };
}

/** Yields the events that follow the copied events. They set the title and clear `archived`. */
export function* corrections(
  { state }: Pick<Copied, "state">,
  { title, altered }: { title?: string | undefined; altered?: boolean | undefined },
  time: string,
): Generator<WholeEvent> {
  let seq = state.last_seq ?? 0;
  if (title !== undefined && toSummary(state).title !== excerpt(title)) {
    yield marked({ seq: ++seq, kind: "session_renamed", time, payload: { title } }, altered);
  }
  if (state.archived) {
    yield { seq: ++seq, kind: "session_archived", time, payload: { archived: false } };
  }
}

/** Returns the title of a session; undefined if it was made from the first message. */
export function givenTitle(
  { title, first_user_message }: Pick<CopySource, "title" | "first_user_message">,
): string | undefined {
  return title === first_user_message || title === "" ? undefined : title;
}

async function* copiedEvents(
  source: CopySource,
  { count, bytes }: LogSurvey,
  { seq, report, signal, onProgress }: CopyOptions,
  take: (event: ReadEvent) => void,
): AsyncGenerator<WholeEvent[]> {
  const options = present({ to: bytes, report, signal });
  let left = count;
  let done = 0;
  for await (const events of eventsOf(source, options)) {
    const wanted = events.slice(0, Math.max(0, left)).filter(isWhole);
    const copied = wanted.filter((event) => !isHead(event))
      .map((event) => withSource(event, source.session_id));
    left -= events.length;
    onProgress?.(done += bytesOf(events), bytes);
    copied.forEach(take);
    yield copied;
    // Without a last event, damage behind the last one is reported as well.
    if (left <= 0 && seq !== undefined) return;
  }
}

/**
 * Writes a new session with copies of the original's events. Copies keep their numbers and times.
 *
 * @throws {SessionError} `not-found` if there is no event `seq`; `damaged` if no directory is
 * known; and as {@linkcode writeSession}.
 */
export async function forkSession(
  source: CopySource,
  plan: NewLog,
  cwd: string,
  options: CopyOptions,
): Promise<ForkedSession> {
  const survey = await surveyLog(source, options);
  const { altered } = source;
  const title = options.title === undefined
    ? { title: givenTitle(source), altered }
    : { title: options.title };
  const now = plan.created.toISOString();
  const parent = { session_id: source.session_id, seq: survey.through, reason: "fork" };
  const copied: Copied = { state: summary().initial(), open: new Map() };
  const write = async function* (session_id: string): AsyncGenerator<WholeEvent[]> {
    const own = { session_id, created_at: now, cwd, parent };
    const payload = headOf(survey, own, options.title);
    const head = marked({ seq: 1, kind: "session_started", time: now, payload }, survey.altered);
    note(copied, head);
    yield [head];
    yield* copiedEvents(source, survey, options, (event) => note(copied, event));
    yield [...corrections(copied, title, now)];
  };
  const { signal } = options;
  const written = await writeSession(plan, write, { any_order: true, updated_at: now, signal });
  const open_calls = [...copied.open.values()].reduce((sum, count) => sum + count, 0);
  return { ...written, parent, parent_last_seq: survey.last_seq, open_calls };
}
