/** The settings and callbacks of screens. */
import type { Library } from "../../library/library.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { ScreenView } from "../ui/run_screen.ts";

/** The library, the directory and the reader of a screen. */
export interface ScreenSettings {
  readonly library: Library;
  readonly cwd: string;
  /** The home directory, which is shown as `~`; undefined if it is not known. */
  readonly home: string | undefined;
  readonly color: boolean;
  now(): Date;
  format_time(iso: string): string;
}

/** A list of sessions on the whole screen. */
export interface SessionChooser extends ScreenView {
  /** Shows a message until the next key. */
  say(message: string): void;
}

/** A place in a session at which a text was found. */
export interface HitPlace {
  seq: number;
  /** The thread of the event; absent for the main thread. */
  thread?: string;
  /** The text that the user searched for. */
  query: string;
}

export interface ListListener {
  /** Takes the session that the user chose, and the hit to show in the session. */
  onChosen(row: Summary, at?: HitPlace): void;
  /** Acts when the user closes the list without a choice; `interrupted` is true after ^C. */
  onCancelled(interrupted?: boolean): void;
  onError(error: unknown): void;
}
