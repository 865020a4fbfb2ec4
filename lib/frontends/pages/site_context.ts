/** The context of all pages. */
import type { Library } from "../../library/library.ts";
import type { TimeFormat } from "../../text/render/time_label.ts";
import type { OpenedSessions } from "./session/opened_sessions.ts";

/** The library that the pages show, and how this reader writes times. */
export interface SiteContext {
  library: Library;
  sessions: OpenedSessions;
  version: string;
  now: () => Date;
  format_time: TimeFormat;
  /** Returns the reader's day of a time. */
  day_of: (milliseconds: number) => string;
  /** Returns the hour of the reader's day. */
  hour_of: (milliseconds: number) => number;
  /** The user's home directory, written as `~`. */
  home: string | undefined;
}
