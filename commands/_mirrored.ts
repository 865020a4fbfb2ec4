/** Adds a team's pulled sessions to the local ones. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Library, LocatedEntries } from "../lib/library/library.ts";
import type { ScopedEntries } from "../lib/library/scope.ts";
import { projectDirectories } from "../lib/workspace/project.ts";
import type { Context } from "./_context.ts";
import { locateScoped } from "./_scope.ts";
import type { ScopeFlags } from "./_scope_flags.ts";
import { present } from "../lib/event/present.ts";

/** The folder of pulled sessions below the data root. */
const MIRROR = "remote";

type Located = LocatedEntries & Pick<ScopedEntries, "directories">;

/**
 * Locates sessions as `locateScoped` does, and the team's sessions in the same scope. A local
 * session comes once.
 */
export async function locateWithMirror(
  context: Context,
  library: Library,
  flags: ScopeFlags,
  options: NonNullable<Parameters<typeof locateScoped>[3]>,
): Promise<Located> {
  const { agent = "all", all, cwd } = flags;
  if (agent !== "all" || !existsSync(join(library.root, MIRROR))) {
    return await locateScoped(context, library, flags, options);
  }
  const { mirroredEntries } = await import("../lib/team/mirrored_entries.ts");
  const directories = projectDirectories(resolve(context.cwd, cwd ?? "."));
  const of_project = all ? [] : mirroredEntries(library.root, { directories });
  // Sessions in the mirror are enough to keep the project's scope.
  const scope: ScopeFlags = of_project.length > 0 ? { ...flags, here: true } : flags;
  const located = await locateScoped(context, library, scope, options);
  const is_all = all || located.directories === undefined;
  const here = new Set(located.entries.map(({ row: { ref } }) => ref));
  const mirrored = is_all || of_project.length > 0
    ? mirroredEntries(
      library.root,
      present({ here, directories: is_all ? undefined : directories }),
    )
    : [];
  return { ...located, entries: [...located.entries, ...mirrored] };
}
