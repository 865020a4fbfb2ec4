/** Finds the files that a session changed, as of an event. */
import { basename, isAbsolute, resolve } from "node:path";
import type { LogEvent } from "../../event/envelope.ts";
import { isObject } from "../../event/guard.ts";
import { present } from "../../event/present.ts";
import { SessionError } from "../../event/session_error.ts";
import { descriptorOf } from "../../library/registry.ts";
import type { SessionHandle } from "../../library/session_handle.ts";
import type { FileContent, KnownFile } from "../../source/file_history.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { EditCollector } from "../edit_collector.ts";
import type { FileChange } from "../recorded_edit.ts";
import { hasOnlyCrlf, toCrlf } from "./replay_change.ts";
import { afterFact, type FileFact, type FileState, fileStateAt } from "./file_states.ts";

/** Options to find a session's files. */
interface SessionFilesOptions {
  /** The last event that counts. @default {the last of the session} */
  seq?: number | undefined;
  /** Reads the content that a file has now; undefined where it must not be used. @default {none is} */
  presentIn?: ((directory: string, path: string) => FileContent | undefined) | undefined;
}

/** A file that a session changed. */
export interface SessionFile {
  /** Absolute where the session tells its directory; else as the session names it. */
  path: string;
  /** Number of changes up to the event. */
  changes: number;
  /** The file at the event. */
  state: FileState;
  /** The file before the session's first change. */
  first: FileState;
  /** The recorded changes up to the event. */
  made: readonly FileChange[];
  /** Contents that the whole session knew, or that its changes give: a file with one is no other's. */
  known: readonly FileContent[];
}

/** The files of a session, and the directory that their paths are relative to. */
export interface SessionFiles {
  /** The session's directory; absent where it is not recorded. */
  cwd?: string;
  /** The event that they are as of. */
  seq: number;
  /** The files, in the order of their paths. */
  files: SessionFile[];
}

/** A fact with its place in the session. */
interface PlacedFact {
  path: string;
  thread: string;
  seq: number;
  /** 0 before the event's own change, 1 the change, 2 after it. */
  step: number;
  fact: FileFact;
}

/** A command in a shell. */
interface PlacedCommand extends Pick<PlacedFact, "thread" | "seq"> {
  text: string;
}

/** Names of a shell command in the arguments of calls. */
const COMMANDS = ["command", "cmd", "script"];

/** Yields the commands that an event begins or declares. */
function* commandsIn(event: LogEvent): Generator<string> {
  if (event.form !== "known") return;
  if (event.kind === "bash_start") yield event.payload.command ?? "";
  if (event.kind !== "assistant_message" || typeof event.payload.content === "string") return;
  for (const part of event.payload.content) {
    if (part.type !== "tool_call" || !isObject(part.input)) continue;
    const { input } = part;
    const named = COMMANDS.map((name) => input[name]).find((value) => value !== undefined);
    if (typeof named === "string") yield named;
    else if (Array.isArray(named)) yield named.join(" ");
  }
}

/** The events of a thread that are looked at. */
interface ThreadPlaces {
  collector: EditCollector;
  /** Times of events by number: the latest time up to each. */
  times: Map<number, number>;
  latest: number;
}

/**
 * Finds the files that a session changed, in all its threads. Changes of other threads count up to the
 * time of the event.
 *
 * @throws {SessionError} `not-found` where the session has no such event; as reading it.
 */
export async function sessionFiles(
  handle: SessionHandle,
  { seq, presentIn }: SessionFilesOptions = {},
): Promise<SessionFiles> {
  const { session } = handle;
  const thread = handle.thread ?? MAIN_THREAD;
  const known = await knownFiles(handle);
  const threads = new Map<string, ThreadPlaces>();
  const placed: PlacedFact[] = [];
  const commands: PlacedCommand[] = [];
  let cwd = session.cwd;
  let last_seq = 0;
  for await (const { thread: id, events } of handle.allEvents()) {
    const places: ThreadPlaces = threads.get(id) ??
      { collector: new EditCollector(session, id), times: new Map(), latest: -Infinity };
    threads.set(id, places);
    for (const event of events) {
      places.collector.take(event);
      if (event.form === "known" && event.kind === "session_started") {
        cwd = event.payload.cwd ?? cwd;
      }
      notePlace(places, event);
      if (id === thread) last_seq = Math.max(last_seq, event.seq);
      placed.push(...knownAt(known, event, id));
      for (const text of commandsIn(event)) commands.push({ thread: id, seq: event.seq, text });
    }
  }
  const at = seq ?? last_seq;
  if (at > last_seq || at < 1) throw noEvent(handle, at, last_seq);
  for (const [id, { collector }] of threads) {
    for (const { path, change, seq } of collector.edits()) {
      placed.push({ path, thread: id, seq, step: 1, fact: { kind: "change", change } });
    }
  }
  for (const path of new Set(placed.map(({ path }) => path))) {
    const named = commands.filter(({ text }) => text.includes(basename(path)));
    placed.push(
      ...named.map(({ thread, seq }): PlacedFact => ({
        ...{ path, thread, seq, step: 1 },
        fact: { kind: "command" },
      })),
    );
  }
  const timeOf = ({ thread: id, seq: one }: Pick<PlacedFact, "thread" | "seq">): number =>
    threads.get(id)?.times.get(one) ?? -Infinity;
  const moment = timeOf({ thread, seq: at });
  const isBefore = (one: PlacedFact): boolean =>
    one.thread === thread ? one.seq <= at : timeOf(one) <= moment;
  placed.sort((a, b) =>
    Number(isBefore(b)) - Number(isBefore(a)) || timeOf(a) - timeOf(b) ||
    (a.thread === b.thread ? a.seq - b.seq || a.step - b.step : 0)
  );
  const byPath = Map.groupBy(placed, ({ path }) => placeOf(path, cwd));
  const files = [...byPath].flatMap(([path, facts]) =>
    fileOf(path, facts, isBefore, () => cwd === undefined ? undefined : presentIn?.(cwd, path)) ??
      []
  );
  files.sort((a, b) => a.path < b.path ? -1 : 1);
  return present({ cwd, seq: at, files });
}

function noEvent({ ref }: SessionHandle, seq: number, last: number): SessionError {
  const message = `Cannot find event ${seq} of session ${ref}: it has ${last} events`;
  return new SessionError("not-found", message, { ref: `${ref}#${seq}` });
}

async function knownFiles({ session }: SessionHandle): Promise<Map<string, KnownFile[]>> {
  const known = new Map<string, KnownFile[]>();
  const read = await descriptorOf(session.agent).loadFileHistory?.();
  if (read === undefined) return known;
  for await (const file of read(session)) {
    const list = known.get(file.record);
    if (list === undefined) known.set(file.record, [file]);
    else list.push(file);
  }
  return known;
}

function notePlace(places: ThreadPlaces, { form, seq, ...event }: LogEvent): void {
  const time = form === "known" && "time" in event ? Date.parse(event.time ?? "") : NaN;
  // Clocks jump, and some events have no time.
  if (time > places.latest) places.latest = time;
  places.times.set(seq, places.latest);
}

/** Returns the contents that the record of an event has, each once. */
function* knownAt(
  known: Map<string, KnownFile[]>,
  event: LogEvent,
  thread: string,
): Generator<PlacedFact> {
  const record = event.form === "known" ? event.source?.id : undefined;
  if (record === undefined) return;
  for (const { path, before, content } of known.get(record) ?? []) {
    const fact: FileFact = { kind: "known", content };
    yield { path, thread, seq: event.seq, step: before ? 0 : 2, fact };
  }
  known.delete(record);
}

function placeOf(path: string, cwd: string | undefined): string {
  return isAbsolute(path) || cwd === undefined ? path : resolve(cwd, path);
}

function fileOf(
  path: string,
  placed: readonly PlacedFact[],
  isBefore: (one: PlacedFact) => boolean,
  presentContent: () => FileContent | undefined,
): SessionFile | undefined {
  const facts = placed.map(({ fact }) => fact);
  const count = placed.filter(isBefore).length;
  const made = facts.slice(0, count).flatMap((fact) => fact.kind === "change" ? [fact.change] : []);
  const first = facts.findIndex(({ kind }) => kind === "change");
  if (first < 0) return undefined;
  const now = presentContent();
  return {
    path,
    changes: made.length,
    state: withEnds(fileStateAt(facts, count, now), facts),
    first: withEnds(fileStateAt(facts, first, now), facts),
    made,
    known: knownStates(facts),
  };
}

/** Gives a text the CRLF that a snapshot shows, where the agent records LF in its calls. */
function withEnds(state: FileState, facts: readonly FileFact[]): FileState {
  const { content } = state;
  if (typeof content !== "string" || content.includes("\r")) return state;
  const is_crlf = facts.some((fact) =>
    fact.kind === "known" && typeof fact.content === "string" && hasOnlyCrlf(fact.content)
  );
  return is_crlf ? { ...state, content: toCrlf(content) } : state;
}

/** Returns the contents that the whole session knew, or that its changes give. */
function knownStates(facts: readonly FileFact[]): FileContent[] {
  const known: FileContent[] = [];
  let state: FileState = { grade: "unknown" };
  for (const fact of facts) {
    state = afterFact(state, fact);
    const is_given = state.doubt !== "order";
    if (is_given && state.content !== undefined) known.push(state.content);
  }
  return known;
}
