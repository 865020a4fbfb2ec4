/** The context of all pages. */
import type { Annotation } from "../../library/handle/annotate.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import type { Library } from "../../library/library.ts";
import type { TimeFormat } from "../../text/render/time_label.ts";
import type { OpenedSessions } from "./session/opened_sessions.ts";

export interface SiteContext {
  library: Library;
  sessions: OpenedSessions;
  version: string;
  now: () => Date;
  format_time: TimeFormat;
  /** Returns the day of a time in the reader's time zone. */
  day_of: (milliseconds: number) => string;
  /** Returns day and time of day, `2026-11-21 20:21`, in the reader's time zone. */
  minute_of: (milliseconds: number) => string;
  /** Sets a session's annotation. Absent if sessions cannot be annotated. */
  mark?: ((session: SessionHandle, mark: Annotation) => Promise<void>) | undefined;
  /** The user's home directory. Pages show it as `~`. */
  home: string | undefined;
}
