/**
 * Imports a session of another agent, or a log from another store. The imported conversation equals
 * the original's.
 *
 * @module
 */
import { REPRISE } from "../../event/agent_name.ts";
import type { LogEvent } from "../../event/envelope.ts";
import type { ImportInfo, SessionStartedPayload } from "../../event/payload.ts";
import { present } from "../../event/present.ts";
import { type LockHolder, SessionError } from "../../event/session_error.ts";
import { namespaceOf } from "../../workspace/namespace.ts";
import { realDirectory } from "../../workspace/real_directory.ts";
import { writeSession, type WrittenSession } from "../copy/write_session.ts";
import type { NewLog } from "../create_log.ts";
import type { ReadEvent } from "../session_line.ts";
import {
  type Alterations,
  importEvents,
  type ImportState,
  originOf,
  startImport,
} from "./imported_events.ts";
import type { SourceState } from "./source_state.ts";

/** A session of another agent or store to import, with facts about the new session. */
export interface ImportSource {
  /** Name of the agent whose session it is, such as `pi` or `reprise`. */
  agent: string;
  /** The agent's own id of the session. */
  id: string;
  /** Absolute path of the session's file or database. */
  path: string;
  /** The agent's version. @default {the version in the source's `session_started`} */
  agent_version?: string;
  /** Directory of the new session. @default {the directory in the source's `session_started`} */
  cwd?: string;
  /** Title of the new session. @default {the title of the original} */
  title?: string;
  /** ISO 8601: time of creation. @default {the time in the source's first event} */
  created_at?: string;
  /** The state of the source before it was read, so that later growth can be found. */
  state?: SourceState;
  /** All events of the source, of all kinds, in order. */
  events: AsyncIterable<readonly LogEvent[]>;
  /** Writes files beside the log, before other processes can see the session. */
  attach?: (directory: string) => Promise<void>;
  /** Receives each event that is written from the source. The close comes last. */
  digest?: { add(event: ReadEvent): void };
  /** Cancels the import, and leaves no files behind. */
  signal?: AbortSignal;
}

/** The written session, with its origin and the changes that the import made. */
export interface ImportedSession extends WrittenSession {
  /** The original session, from the new session's first event. */
  imported_from: ImportInfo;
  /** The number of changed events, by reason. */
  alterations: Alterations;
}

export interface ImportPlace {
  root: string;
  newId: () => string;
  now: () => Date;
  holder: LockHolder;
}

interface Pulled {
  first: readonly LogEvent[];
  rest: AsyncIterator<readonly LogEvent[]>;
}

interface Head {
  payload: Omit<SessionStartedPayload, "session_id"> & { imported_from: ImportInfo };
  /** The `session_started` of the source; absent if it has none. */
  event?: ReadEvent;
}

/**
 * Imports a session.
 *
 * @throws {SessionError} `unsupported-source` if the source has no events, or names no directory;
 * `not-found`, `permission`, `disk-full`, `unsafe-store`, `sync-failed`, `io`
 */
export async function importSession(
  place: ImportPlace,
  source: ImportSource,
): Promise<ImportedSession> {
  const rest = source.events[Symbol.asyncIterator]();
  try {
    const pulled = { first: await firstEvents(rest), rest };
    const head = headOf(source, pulled.first, place.now());
    return await writeImport(place, source, head, pulled);
  } finally {
    // Closes the file even if a failure ends the reading early.
    await rest.return?.();
  }
}

async function firstEvents(
  rest: AsyncIterator<readonly LogEvent[]>,
): Promise<readonly LogEvent[]> {
  while (true) {
    const { value, done } = await rest.next();
    if (done) return [];
    if (value.length > 0) return value;
  }
}

function headOf(source: ImportSource, [event]: readonly LogEvent[], now: Date): Head {
  const { agent, id, path } = source;
  if (event === undefined) {
    const message = `Cannot import session: the session has no events: ${agent}:${id}`;
    throw new SessionError("unsupported-source", message, { path });
  }
  const own = event.form === "known" && event.kind === "session_started" ? event : undefined;
  const started = own?.payload;
  const cwd = source.cwd ?? started?.cwd ?? "";
  if (cwd === "") {
    const message =
      `Cannot import session: the session's directory is unknown; give a directory: ${agent}:${id}`;
    throw new SessionError("unsupported-source", message, { path });
  }
  const { agent_version = agent === REPRISE ? undefined : started?.app?.version } = source;
  const payload = {
    ...started,
    created_at: createdAt([source.created_at, started?.created_at, event.time], now),
    cwd: realDirectory(cwd),
    ...present({ title: source.title }),
    imported_from: {
      agent,
      id,
      path,
      ...present({ agent_version }),
      ...source.state,
      imported_at: now.toISOString(),
    },
  };
  return own === undefined ? { payload } : { payload, event: own };
}

/** Returns the first of `times` that is valid in a folder's name, else `now`. */
function createdAt(times: readonly unknown[], now: Date): string {
  for (const time of times) {
    const date = new Date(typeof time === "string" ? time : NaN);
    if (date.getTime() >= 0 && date.getUTCFullYear() <= 9999) return date.toISOString();
  }
  return now.toISOString();
}

async function writeImport(
  place: ImportPlace,
  source: ImportSource,
  head: Head,
  { first, rest }: Pulled,
): Promise<ImportedSession> {
  const { payload, event } = head;
  const { now: _, ...common } = place;
  const plan: NewLog = {
    ...common,
    namespace: namespaceOf(payload.cwd),
    created: new Date(payload.created_at),
    id: place.newId(),
  };
  const state = startImport(source.agent, source.id, event?.seq);
  async function* write(session_id: string): AsyncGenerator<readonly ReadEvent[]> {
    yield [headEvent(source, head, session_id)];
    yield digested(source, importEvents(state, event === undefined ? first : first.slice(1)));
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      yield digested(source, importEvents(state, next.value));
    }
    if (source.title !== undefined) yield digested(source, [renaming(state, source.title)]);
  }
  const written = await writeSession(plan, write, {
    closing: (seq) => closingEvent(source, state, seq),
    signal: source.signal,
    attach: source.attach,
  });
  const { imported_from } = payload;
  return { ...written, imported_from, alterations: state.alterations };
}

function headEvent(source: ImportSource, { payload, event }: Head, session_id: string): ReadEvent {
  return {
    form: "known",
    // A good checksum would vouch for an altered head.
    integrity: event?.integrity === "mismatch" ? "mismatch" : "verified",
    seq: 1,
    kind: "session_started",
    time: payload.created_at,
    source: event?.source ?? originOf(source, { seq: 1 }),
    payload: { ...payload, session_id },
  };
}

function digested({ digest }: ImportSource, events: readonly ReadEvent[]): readonly ReadEvent[] {
  if (digest !== undefined) { for (const event of events) digest.add(event); }
  return events;
}

/**
 * Returns the event that sets the given title. It follows the source's events, because the last
 * title wins. If the source was closed, the title's event gets the number of the close. The close
 * is written after it.
 */
function renaming(state: ImportState, title: string): ReadEvent {
  const seq = state.closing?.seq ?? ++state.last_seq;
  const time = state.closing?.time ?? state.last_time;
  const event = { form: "known", integrity: "verified", kind: "session_renamed" } as const;
  return { ...event, seq, ...present({ time }), payload: { title } };
}

function closingEvent(
  source: ImportSource,
  { closing }: ImportState,
  seq: number,
): ReadEvent | undefined {
  if (closing === undefined) return undefined;
  const event = { ...closing, seq };
  digested(source, [event]);
  return event;
}
