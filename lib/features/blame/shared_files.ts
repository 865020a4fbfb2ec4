/** Finds files that two running sessions changed within an hour: one may undo the other's work. */
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import { sessionOf } from "../../library/query/query.ts";
import type { RunningSession } from "../../library/running/running_sessions.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { EditCollector } from "../../library/touches/edit_collector.ts";
import { placeOf } from "../../library/touches/find_touches.ts";

export interface SharedFile {
  /** Real path of the file. A copy in another work tree is a different file. */
  path: string;
  /** References of the sessions that changed the file, in the order given to `look`. */
  refs: readonly string[];
}

const HOUR_MS = 3_600_000;
/** Number of messages at the end of a session that are searched for changes. */
const LAST_MESSAGES = 200;
/** Minimum milliseconds between two reads of a session that keeps changing. */
const READ_MS = 10_000;

/** Times at which a session changed files. `state` differs once the session has changed. */
interface Touches {
  state: string;
  read_at: number;
  times: ReadonlyMap<string, number>;
}

/** Looks for shared files again and again. A session that did not change is not read again. */
export class SharedFiles {
  readonly #library: Library;
  readonly #folders = new Map<string, string>();
  #known = new Map<string, Touches>();

  constructor(library: Library) {
    this.#library = library;
  }

  async look(running: readonly RunningSession[]): Promise<SharedFile[]> {
    const now = (this.#library.place.now?.() ?? new Date()).getTime();
    const late = running.filter(({ row }) => now - Date.parse(row.updated_at ?? "") <= HOUR_MS);
    const known = new Map<string, Touches>();
    const refs = new Map<string, string[]>();
    for (const { row } of late.length < 2 ? [] : late) {
      const touches = await this.#touchesOf(row, now);
      known.set(row.ref, touches);
      for (const [path, time] of touches.times) {
        if (now - time <= HOUR_MS) refs.set(path, [...refs.get(path) ?? [], row.ref]);
      }
    }
    this.#known = known;
    return [...refs].filter(([, refs]) => refs.length > 1).map(([path, refs]) => ({ path, refs }))
      .sort((one, other) => one.path < other.path ? -1 : 1);
  }

  async #touchesOf(row: Summary, now: number): Promise<Touches> {
    const state = `${row.updated_at} ${row.bytes}`;
    const before = this.#known.get(row.ref);
    if (before !== undefined && (before.state === state || now - before.read_at < READ_MS)) {
      return before;
    }
    try {
      const handle = await this.#library.entry(sessionOf(row)).open();
      return { state, read_at: now, times: await recentTouches(handle, row.cwd, this.#folders) };
    } catch (error) {
      // Its agent may be replacing the file.
      if (!(error instanceof SessionError)) throw error;
      return before ?? { state, read_at: now, times: new Map() };
    }
  }
}

/** Reads which files the end of a session changed, by their real paths, and when. */
async function recentTouches(
  handle: SessionHandle,
  cwd: string | undefined,
  folders: Map<string, string>,
): Promise<Map<string, number>> {
  const collector = new EditCollector(handle.session);
  for (const event of await handle.tail(LAST_MESSAGES)) collector.take(event);
  return new Map(
    collector.edits().map(({ path, time }) => [placeOf({ path, cwd }, cwd, folders) ?? path, time]),
  );
}
