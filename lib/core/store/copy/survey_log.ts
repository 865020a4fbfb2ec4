/**
 * Surveys a log before it is copied: its beginning and its size. Only its first event is parsed.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { EventKind, SessionStartedPayload } from "../../event/payload.ts";
import { present } from "../../event/present.ts";
import { SessionError } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import { readEvents, type ReadEventsOptions } from "../../log/read_events.ts";
import { statSync } from "../../platform/files.ts";
import type { Summary } from "../../projection/summary_row.ts";

/** A session to copy from, as a list shows it. */
export interface CopySource
  extends
    Pick<Summary, "session_id" | "path" | "title" | "cwd" | "first_user_message" | "altered"> {
  /** Reads events of an encrypted session. @default {the events of the log at its path} */
  events?(
    options: Pick<ReadEventsOptions, "report" | "signal"> & {
      needs?: ReadonlySet<EventKind> | undefined;
    },
  ): AsyncIterable<readonly LogEvent[]>;
}

/** The facts that a copy needs about a log. Events written after the survey do not count. */
export interface LogSurvey {
  /** Payload of the log's first event; undefined if that event is damaged or missing. */
  started: SessionStartedPayload | undefined;
  /** True if the log's first event was altered. */
  altered: boolean;
  /** Number of events up to the last one to copy. */
  count: number;
  /** Sequence number of the last event to copy; 0 if there is none. */
  through: number;
  last_seq: number;
  /** Number of `session_checkpoint` events up to the last event to copy. */
  checkpoints: number;
  bytes: number;
}

export interface LogSurveyOptions {
  /** Number of the last event to count. @default {the last one} */
  seq?: number | undefined;
  signal?: AbortSignal | undefined;
}

export function bytesOf(events: readonly LogEvent[]): number {
  return events.reduce((sum, { position }) => sum + (position?.length ?? 0), 0);
}

const HEAD: ReadonlySet<EventKind> = new Set<EventKind>(["session_started"]);

/** True for the first event of a log, which a copy replaces by its own head. */
export function isHead({ seq, kind }: LogEvent): boolean {
  return seq === 1 && kind === "session_started";
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

export function eventsOf(
  { path, events }: Pick<CopySource, "path" | "events">,
  { needs, to, ...options }: Parameters<NonNullable<CopySource["events"]>>[0] & { to: number },
): AsyncIterable<readonly LogEvent[]> {
  if (events !== undefined) return events({ ...present({ needs }), ...options });
  return readEvents(path, { to, ...options, ...present({ kinds: needs }) });
}

/**
 * Reads a log once and returns the facts that a copy needs.
 *
 * @throws {SessionError} `not-found` if no event has the number `seq`; `permission`, `io`
 */
export async function surveyLog(
  source: Pick<CopySource, "path" | "session_id" | "events">,
  { seq, signal }: LogSurveyOptions = {},
): Promise<LogSurvey> {
  const { path, session_id } = source;
  const bytes = sizeOf(path);
  const survey: LogSurvey = {
    started: undefined,
    altered: false,
    count: 0,
    through: 0,
    last_seq: 0,
    checkpoints: 0,
    bytes,
  };
  const range = present({ to: bytes, signal });
  for await (const events of eventsOf(source, { ...range, needs: HEAD })) {
    for (const event of events) takeEvent(survey, event, seq);
  }
  if (survey.last_seq === 0) {
    const message = `Cannot copy session ${session_id}: the session's log has no events`;
    throw new SessionError("not-found", message, { ref: session_id, path });
  }
  if (seq === undefined || isAt(survey, seq)) return survey;
  const message =
    `Cannot find event ${seq} of session ${session_id}: the last event is ${survey.last_seq}`;
  throw new SessionError("not-found", message, { ref: `${session_id}#${seq}`, path });
}

function isAt({ count, through }: LogSurvey, seq: number): boolean {
  return count > 0 && through === seq;
}

function takeEvent(survey: LogSurvey, event: LogEvent, seq: number | undefined): void {
  survey.last_seq = event.seq;
  // Where numbers repeat, the first event that has this one.
  if (seq !== undefined && isAt(survey, seq)) return;
  survey.count++;
  survey.through = event.seq;
  survey.checkpoints += Number(event.kind === "session_checkpoint");
  if (event.form !== "known" || event.kind !== "session_started" || !isHead(event)) return;
  if (survey.started === undefined) survey.altered = event.integrity === "mismatch";
  survey.started ??= event.payload;
}
