/**
 * The reader's settings for all parts of an item.
 *
 * @module
 */
import type { Style } from "../style.ts";
import type { TimeFormat } from "../time_label.ts";

/** How items are shown. */
export interface View {
  /** Columns; may be `Infinity`. */
  width: number;
  style: Style;
  /** Nothing is left out. */
  full: boolean;
  format_time: TimeFormat | undefined;
}

/** The same view, with room taken away on the left. */
export function narrowView(view: View, columns: number): View {
  return { ...view, width: Math.max(1, view.width - columns) };
}
