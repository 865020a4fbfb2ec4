/** Adds a team's pulled sessions to the local ones. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { rowsOf } from "../lib/library/query/candidate.ts";
import type { Library } from "../lib/library/library.ts";
import type { FoundSessions, SessionEntry } from "../lib/library/query/query.ts";
import { asksWords, fitsWords, type SessionWords } from "../lib/core/store/session_words.ts";
import { projectDirectories } from "../lib/core/workspace/project.ts";
import { namedPath } from "../lib/core/workspace/session_directory.ts";
import type { Context } from "./_context.ts";
import { findScoped, projectNamed } from "./_scope.ts";
import type { ScopeFlags } from "./_scope_flags.ts";

/** The folder of pulled sessions below the data root. */
const MIRROR = "remote";

/**
 * Finds sessions as `findScoped` does, and also the team's in the same scope, without duplicates.
 */
export async function findWithMirror(
  context: Context,
  library: Library,
  flags: ScopeFlags,
  options: NonNullable<Parameters<typeof findScoped>[3]>,
): Promise<FoundSessions> {
  const { agent = "all", all, cwd, project } = flags;
  if (agent !== "all" || options.gone || !existsSync(join(library.root, MIRROR))) {
    return await findScoped(context, library, flags, options);
  }
  const { mirroredEntries } = await import("../lib/features/team/mirrored_entries.ts");
  const directories = await projectNamed(context, library, project) ??
    projectDirectories(namedPath(context.cwd, cwd ?? "."));
  const of_project = all ? [] : mirroredEntries(library, { directories });
  // Sessions in the mirror are enough to keep the project's scope.
  const scope: ScopeFlags = of_project.length > 0 ? { ...flags, here: true } : flags;
  const located = await findScoped(context, library, scope, options);
  const is_all = all || located.directories === undefined;
  const here = new Set(located.entries.map(({ ref }) => ref));
  const mirrored = is_all || of_project.length > 0
    ? mirroredEntries(library, { here, directories: is_all ? undefined : directories })
    : [];
  const fitting = asksWords(options) ? await thatFit(mirrored, options) : mirrored;
  return { ...located, entries: [...located.entries, ...fitting] };
}

async function thatFit(
  entries: readonly SessionEntry[],
  words: SessionWords,
): Promise<SessionEntry[]> {
  const rows = new Map((await rowsOf(entries)).map((row) => [row.ref, row]));
  return entries.filter(({ ref }) => fitsWords(rows.get(ref) ?? {}, words));
}
