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

export interface HitPlace {
  seq: number;
  thread?: string;
  query: string;
}

export interface ListListener {
  onChosen(row: Summary, at?: HitPlace): void;
  /** Handles a close without a choice. `interrupted` is true after ^C. */
  onCancelled(interrupted?: boolean): void;
  onError(error: unknown): void;
}
