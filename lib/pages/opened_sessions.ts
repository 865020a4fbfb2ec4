/** Keeps the sessions that were looked at last, so that their next page comes at once. */
import { AGENT_NAMES } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import type { Library } from "../library/library.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { statSync } from "../platform/files.ts";
import type { Summary } from "../projection/summary_row.ts";
import { parseRef } from "../source/ref.ts";
import { openWindow, type SessionWindow } from "../library/window/session_window.ts";

/** A session that is shown. */
export interface OpenedSession {
  /** The reference by which pages name it. */
  ref: string;
  handle: SessionHandle;
  items: SessionWindow;
  /** The thread that is shown, as an address names it; empty for the main one. */
  thread: { thread?: string };
  summary(): Promise<Summary>;
}

/** A session that is kept, with the state of its file. */
interface Kept extends OpenedSession {
  state: string;
}

/** Each may hold some megabytes. */
const MOST_KEPT = 4;

/** The sessions that were looked at last. */
export class OpenedSessions {
  readonly #library: Library;
  readonly #named: ReadonlySet<string>;
  readonly #kept = new Map<string, Kept>();

  /**
   * Begins with none.
   *
   * @param named Paths that the person named: an address that names another path is refused.
   */
  constructor(library: Library, named: readonly string[] = []) {
    this.#library = library;
    this.#named = new Set(named);
  }

  /**
   * Opens a session, or finds it as it was opened; anew where its file changed meanwhile.
   *
   * @throws {SessionError} As `Library.open`.
   */
  async open(ref: string, thread?: string): Promise<OpenedSession> {
    const key = `${ref}\n${thread ?? ""}`;
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    if (known !== undefined && known.state === stateOf(known.handle)) {
      this.#kept.set(key, known);
      return known;
    }
    known?.items.close();
    const opened = await this.#open(ref, thread);
    this.#kept.set(key, opened);
    for (const [oldest, { items }] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) break;
      items.close();
      this.#kept.delete(oldest);
    }
    return opened;
  }

  async #open(ref: string, thread: string | undefined): Promise<Kept> {
    if (!this.#named.has(ref) && parseRef(ref, AGENT_NAMES).kind === "path") {
      throw new SessionError("not-found", `Cannot find session "${ref}"`, { ref });
    }
    const handle = await this.#library.open(ref);
    let summary: Promise<Summary> | undefined;
    return {
      ref,
      handle,
      thread: thread === undefined ? {} : { thread },
      items: openWindow(handle, thread === undefined ? {} : { thread }),
      summary: () => summary ??= handle.summary(),
      state: stateOf(handle),
    };
  }
}

/** Tells whether the file of a session is as it was. */
function stateOf({ path }: SessionHandle): string {
  try {
    const { size, mtime, isDirectory } = statSync(path);
    return isDirectory ? "" : `${size} ${mtime?.getTime()}`;
  } catch {
    // It is gone: opening it tells why.
    return "gone";
  }
}
