/** The settings and callbacks of screens. */
import type { Library } from "../../library/library.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { ScreenView } from "../ui/run_screen.ts";

export interface ScreenSettings {
  readonly library: Library;
  readonly cwd: string;
  /** The home directory, which is shown as `~`. Undefined if it is unknown. */
  readonly home: string | undefined;
  readonly color: boolean;
  now(): Date;
  format_time(iso: string): string;
}

export interface SessionChooser extends ScreenView {
  /** Shows a message until the next key. */
  say(message: string): void;
}

/** A place in a session at which a text was found. */
export interface HitPlace {
  seq: number;
  /** The thread of the event. Absent for the main thread. */
  thread?: string;
  query: string;
}

export interface ListListener {
  /** Takes the session that the user chose, and the hit to show in the session. */
  onChosen(row: Summary, at?: HitPlace): void;
  /** Handles a close without a choice. `interrupted` is true after ^C. */
  onCancelled(interrupted?: boolean): void;
  onError(error: unknown): void;
}
