/** Searches this project's sessions; where it has no hit, those of all projects. */
import type { FileTouches } from "../../lib/blame/mod.ts";
import type { SessionError } from "../../lib/event/session_error.ts";
import type { FoundSessions, SessionEntry } from "../../lib/library/query.ts";
import type { TieredRequest, TieredResult } from "../../lib/search/tiers.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { findWithMirror } from "../_mirrored.ts";
import type { ScopeFlags } from "../_scope_flags.ts";
import { touching } from "../_touching.ts";
import { findHits } from "./find_hits.ts";

/** The flags that choose sessions. */
interface ScopedFlags extends ScopeFlags {
  branch?: string | undefined;
  file?: string;
  gone?: true;
  tag?: string | undefined;
}

/** The sessions of a scope. */
export interface SearchedScope extends Pick<FoundSessions, "entries" | "directories"> {
  /** The sessions' changes of the file in `--file`. */
  changes?: ReadonlyMap<SessionEntry, FileTouches> | undefined;
}

/** The scopes of a search so far. */
export interface SearchScopes {
  /** The scope that the hits are of. */
  shown: SearchedScope;
  /** All sessions that were searched. */
  searched: readonly SessionEntry[];
  /** True if the flags hold the search to the project. */
  is_held: boolean;
  /** True if the hits are of other projects. */
  is_wide: boolean;
  /** Bytes of the sessions that no index knew. */
  scanned_bytes: number;
  /** The results for which time was too short. */
  late: Set<TieredResult>;
  /** Searches the scopes until one has a hit. */
  find(request: TieredRequest): Promise<TieredResult>;
}

/** Locates the sessions that the flags choose. */
export async function searchScopes(
  context: Context,
  flags: ScopedFlags,
  onError: (error: SessionError) => void,
): Promise<SearchScopes> {
  const { here: held, cwd, project, ...others } = flags;
  const here = await locate(context, flags, onError);
  let all: SearchedScope | undefined;
  const scopes: SearchScopes = {
    ...{ shown: here, searched: here.entries, is_wide: false, scanned_bytes: 0, late: new Set() },
    is_held: here.directories !== undefined && (held || (cwd ?? project) !== undefined),
    find: async (request) => {
      Object.assign(scopes, { shown: here, is_wide: false });
      const result = await findIn(here.entries, request);
      if (result.hits.length > 0 || scopes.late.size > 0) return result;
      if (scopes.is_held || here.directories === undefined) return result;
      all ??= await locate(context, { ...others, all: true }, onError);
      const known = new Set(here.entries.map(({ ref }) => ref));
      const wide = await findIn(all.entries.filter(({ ref }) => !known.has(ref)), request);
      const is_wide = wide.hits.length > 0;
      Object.assign(scopes, { searched: all.entries, is_wide, shown: is_wide ? all : here });
      return { ...wide, unread: [...result.unread, ...wide.unread] };
    },
  };
  const findIn = async (
    entries: readonly SessionEntry[],
    request: TieredRequest,
  ): Promise<TieredResult> => {
    const result = await findHits(context, contextLibrary(context), entries, request);
    if (result.searched_in_time !== undefined) scopes.late.add(result);
    scopes.scanned_bytes += result.scanned_bytes;
    return result;
  };
  return scopes;
}

async function locate(
  context: Context,
  flags: ScopedFlags,
  onError: (error: SessionError) => void,
): Promise<SearchedScope> {
  const { tag, gone, branch, file } = flags;
  const asked = { archived: "any" as const, tag, gone, branch, onError };
  const found = await findWithMirror(context, contextLibrary(context), flags, asked);
  if (file === undefined) return found;
  const changes = await touching(context, found.entries, file, onError);
  return { ...found, entries: [...changes.keys()], changes };
}
