/**
 * What commands keep of sessions, so that nothing is read twice: see `lib/library/catalogue`.
 */
import type { Context } from "./_context.ts";

/** The catalogue's options for a library; none with `--no-catalogue`. */
export function catalogueOption(context: Context): { catalogue?: { version: string } } {
  return context.no_catalogue ? {} : { catalogue: { version: context.version } };
}
