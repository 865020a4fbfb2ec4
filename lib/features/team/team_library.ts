/** The sessions that were pulled from a team's store, as a library of their own. */
import { REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { Library } from "../../library/library.ts";
import type { FoundSessions, QueryOptions, SessionEntry } from "../../library/query/query.ts";
import { isSelected, newestFirst } from "../../core/store/selection.ts";
import { fitsWords } from "../../core/store/session_words.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { mirroredEntries } from "./mirrored_entries.ts";
import { storeName } from "./store_address.ts";
import { readSyncSettings } from "./sync_settings.ts";

/** A library whose queries find only pulled sessions. It can open any session. */
export class TeamLibrary extends Library {
  /** Takes the place and the cache of a library. */
  constructor(library: Library, cwd: string) {
    super(library.place, cwd, library.cache === undefined ? undefined : library.kept);
  }

  /** The name of the team's store; undefined if the settings of `sync` do not tell. */
  get team(): string | undefined {
    try {
      const { url } = readSyncSettings(this.root) ?? {};
      return url === undefined ? undefined : storeName(url);
    } catch (error) {
      if (error instanceof SessionError) return undefined;
      throw error;
    }
  }

  /**
   * Finds pulled sessions, the newest update first. None of them is archived, gone or running here.
   */
  override async query(options: QueryOptions = {}): Promise<FoundSessions> {
    const { agents = [REPRISE], gone, running, limit } = options;
    const is_none = gone || running || !agents.includes(REPRISE);
    const pulled = is_none ? [] : mirroredEntries(this);
    const found = pulled.map(async (entry): Promise<SessionEntry[]> => {
      const row = await entry.row();
      if (row === undefined || !fitsWords(row, options)) return [];
      // The file's time is that of the pull.
      const updated = Date.parse(row.updated_at ?? "");
      if (!isSelected({ updated, archived: false }, options)) return [];
      return [this.#placed(entry.session, updated, row.cwd)];
    });
    const entries = newestFirst((await Promise.all(found)).flat(), ({ ref }) => ref, limit);
    return { entries, directories: undefined, widened: false, undated: 0 };
  }

  /** Returns the entry of a session, with the directory on the machine that wrote the session. */
  #placed(session: AgentSession, updated: number, cwd: string | undefined): SessionEntry {
    const is_known = cwd !== undefined && sessionDirectory(cwd) !== undefined;
    return this.entry(is_known ? { ...session, cwd } : session, updated);
  }
}
