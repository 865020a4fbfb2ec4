/**
 * Finds the files that sessions changed. An unchanged session is not read again. For a session that
 * was read, all changed files are stored. For all others, names are stored that the session does
 * not contain.
 */
import { SessionError } from "../../core/event/session_error.ts";
import { present } from "../../core/event/present.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { openFacts } from "../catalogue/facts_database.ts";
import { keepFacts, type LookedUp, lookUp } from "../catalogue/read_facts.ts";
import type { SessionEntry } from "../query/query.ts";
import { openReader } from "../machine/registry.ts";
import { nextTurn } from "../../core/log/next_turn.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { EDIT_KINDS, EditCollector } from "./edit_collector.ts";
import type { RecordedEdit } from "./edit.ts";

/** The choice of a cache, and the functions that get errors and progress. */
export interface ChangesOptions {
  /** The catalogue that stores the changed files of each session. @default {nowhere} */
  kept?: CatalogueOptions;
  /** Gets the error of each session that cannot be read and is skipped. @default {nothing} */
  onError?: (error: SessionError) => void;
  /** Called with the number of sessions done and the number of all sessions. */
  onProgress?: (done: number, all: number) => void;
  /** Stops the search. The results so far are returned. */
  signal?: AbortSignal;
}

export interface Touch {
  /** The path as the session names it: absolute, or relative to `cwd`. */
  path: string;
  /** The directory of the session or of its thread; absent if it was not recorded. */
  cwd?: string;
  edits: number;
  /** Time of the last change in milliseconds since 1970; absent if unknown. */
  last?: number;
}

export interface TouchFacts {
  /** The changed files; absent if the session was not read, because it has no searched name. */
  touches?: readonly Touch[];
  /** File names that do not occur in the session. */
  absent?: readonly string[];
}

/** Maximum number of file names stored as absent from a session; the oldest are dropped. */
const MOST_NAMES = 100;

interface SessionChanges<Entry> {
  entry: Entry;
  touches: readonly Touch[];
  /** Absent if the changed files came from the catalogue. */
  edits?: readonly RecordedEdit[];
}

interface WantedChanges<Entry> {
  /** File names: sessions without any of them are not read. If empty, all sessions are read. */
  names: readonly string[];
  /** True for a session to read even if it contains none of the file names. @default {none} */
  isInside?: (entry: Entry) => boolean;
}

type ChangedEntry = Pick<SessionEntry, "session"> & Partial<Pick<SessionEntry, "state">>;

/** Yields only sessions with successful changes, which may be in any thread. */
export async function* changesOf<Entry extends ChangedEntry>(
  entries: readonly Entry[],
  { names, isInside = () => false }: WantedChanges<Entry>,
  { kept = {}, onError = () => {}, onProgress, signal }: ChangesOptions,
): AsyncGenerator<SessionChanges<Entry>> {
  using facts = openFacts(kept);
  const found: LookedUp<TouchFacts>[] = [];
  try {
    // Loaded only if a session is not known.
    let mayName: Awaited<ReturnType<typeof nameTest>> | undefined;
    for (const [index, one] of (await lookUp<TouchFacts>(facts, "touch", entries)).entries()) {
      if (signal?.aborted) return;
      onProgress?.(index, entries.length);
      const entry = entries[index] as Entry;
      const { touches, absent = [] } = one.facts ?? {};
      if (touches !== undefined) {
        if (touches.length > 0) yield { entry, touches };
        continue;
      }
      const needs_name = names.length > 0 && !isInside(entry);
      if (needs_name && names.every((name) => absent.includes(name))) continue;
      await nextTurn();
      try {
        if (needs_name && !await (mayName ??= await nameTest(names))(one.session)) {
          const all = [...new Set([...absent, ...names])].slice(-MOST_NAMES);
          found.push({ ...one, facts: { absent: all } });
          continue;
        }
        const edits = await readEdits(one.session);
        const made = touchesIn(edits);
        found.push({ ...one, facts: { touches: made } });
        if (made.length > 0) yield { entry, touches: made, edits };
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        onError(error);
      }
    }
  } finally {
    keepFacts(facts, "touch", kept, found);
  }
}

async function nameTest(
  names: readonly string[],
): Promise<(session: AgentSession) => Promise<boolean>> {
  const { mayHold } = await import("../search/scan/scan_session.ts");
  const { makePrefilter } = await import("../search/prefilter/prefilter.ts");
  const { textTerm } = await import("../search/query.ts");
  const terms = names.map((name) => textTerm(name));
  const filter = makePrefilter({ root: { type: "or", children: terms }, terms });
  return (session) => mayHold(filter, session);
}

/** @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source` */
export async function readEdits(session: AgentSession): Promise<RecordedEdit[]> {
  const reader = await openReader(session);
  const collectors = new Map<string, EditCollector>();
  for await (const { thread, events } of reader.readThreads({ needs: EDIT_KINDS })) {
    const known = collectors.get(thread);
    const collector = known ??
      new EditCollector(session, thread === MAIN_THREAD ? undefined : thread);
    if (known === undefined) collectors.set(thread, collector);
    for (const event of events) collector.take(event);
  }
  return [...collectors.values()].flatMap((collector) => collector.edits());
}

function touchesIn(edits: readonly RecordedEdit[]): Touch[] {
  const touches = new Map<string, Touch>();
  for (const { path, cwd, time } of edits) {
    const key = `${path}\0${cwd}`;
    const { edits = 0, last = time } = touches.get(key) ?? {};
    const latest = Math.max(last, time) || undefined;
    touches.set(key, present({ path, cwd, edits: edits + 1, last: latest }));
  }
  return [...touches.values()];
}
