/**
 * The sessions of a command's machine.
 */
import { type Library, openLibrary } from "../lib/library/library.ts";
import type { Context } from "./_context.ts";

/**
 * The library of a command's environment.
 *
 * @throws {SessionError} `invalid-config` when nothing says where sessions are kept.
 */
export function contextLibrary(context: Context): Library {
  const { variable, cwd, version, no_catalogue, now } = context;
  const library = openLibrary({
    variable,
    cwd,
    now,
    ...(no_catalogue ? {} : { catalogue: { version } }),
  });
  const { root: _ } = library;
  return library;
}
