/** Finds the files that sessions changed. A session that did not change is not read again. */
import { SessionError } from "../event/session_error.ts";
import { present } from "../event/present.ts";
import type { CatalogueOptions } from "../library/catalogue/catalogue_options.ts";
import type { SessionEntry } from "../library/query.ts";
import { openReader } from "../library/registry.ts";
import { type Touch, TouchTable } from "../library/touch_table.ts";
import { nextTurn } from "../log/next_turn.ts";
import type { AgentSession } from "../source/agent.ts";
import { MAIN_THREAD } from "../source/session_thread.ts";
import { EDIT_KINDS, EditCollector } from "./edit_collector.ts";
import type { RecordedEdit } from "./recorded_edit.ts";

/** Options to find the changes of sessions. */
export interface ChangesOptions {
  /** The catalogue that keeps what sessions changed. @default {nowhere} */
  kept?: CatalogueOptions;
  /** Gets what could not be read; the others are. @default {nothing} */
  onError?: (error: SessionError) => void;
  /** Tells how many of the sessions were looked through. */
  onProgress?: (done: number, all: number) => void;
  /** Stops looking; what was found until then is given. */
  signal?: AbortSignal;
}

/** The files that a session changed. */
interface SessionChanges<Entry> {
  entry: Entry;
  touches: readonly Touch[];
  /** The changes themselves, where the session was read just now. */
  edits?: readonly RecordedEdit[];
}

/** The changes that are looked for. */
interface WantedChanges<Entry> {
  /** Names, one of which a session holds that changed something wanted; none if it need not. */
  names: readonly string[];
  /** True for a session that need not hold a name. @default {none} */
  isInside?: (entry: Entry) => boolean;
}

type ChangedEntry = Pick<SessionEntry, "session"> & Partial<Pick<SessionEntry, "state">>;

/** Finds the changes of sessions in all threads, by calls that succeeded. */
export async function* changesOf<Entry extends ChangedEntry>(
  entries: readonly Entry[],
  { names, isInside = () => false }: WantedChanges<Entry>,
  { kept, onError = () => {}, onProgress, signal }: ChangesOptions,
): AsyncGenerator<SessionChanges<Entry>> {
  using table = new TouchTable(kept);
  // Loaded where a session is not known.
  let mayName: Awaited<ReturnType<typeof nameTest>> | undefined;
  for (const [index, one] of (await table.lookUp(entries)).entries()) {
    if (signal?.aborted) return;
    onProgress?.(index, entries.length);
    const entry = entries[index] as Entry;
    const { touches, absent = [] } = one.facts ?? {};
    if (touches !== undefined) {
      if (touches.length > 0) yield { entry, touches };
      continue;
    }
    try {
      if (names.length > 0 && !isInside(entry)) {
        if (names.every((name) => absent.includes(name))) continue;
        mayName ??= await nameTest(names);
        if (!await mayName(one.session)) {
          table.put(one, { absent: [...new Set([...absent, ...names])] });
          continue;
        }
      }
      const edits = await readEdits(one.session);
      table.put(one, { touches: touchesIn(edits) });
      if (edits.length > 0) yield { entry, touches: touchesIn(edits), edits };
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError(error);
    }
    await nextTurn();
  }
}

/** Returns a test: true for a session whose files may hold one of some names. */
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

/**
 * Reads the changes that a session's threads record, and that succeeded.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
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

/** Counts the changes of each file. */
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
