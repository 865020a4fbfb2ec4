/** Names what every screen needs of the program. */
import type { Library } from "../library/library.ts";

/** The sessions, the place and the person. */
export interface ScreenSettings {
  readonly library: Library;
  readonly cwd: string;
  /** The home directory, written as `~`. */
  readonly home: string | undefined;
  readonly color: boolean;
  now(): Date;
  format_time(iso: string): string;
}
