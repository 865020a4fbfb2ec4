/** Formats text for a terminal. The creator of a style decides once if it has colour. */
import { styleText } from "node:util";

export type Format =
  | "bold"
  | "dim"
  | "italic"
  | "underline"
  | "strikethrough"
  | "red"
  | "green"
  | "yellow"
  | "blue"
  | "magenta"
  | "cyan";

export interface Style {
  readonly color: boolean;
  /** Returns `text` with the formats. `text` must be one line without escapes. */
  paint(format: Format | readonly Format[], text: string): string;
}

export function createStyle(color: boolean): Style {
  return {
    color,
    paint(format: Format | readonly Format[], text: string): string {
      if (!color || text === "" || format.length === 0) return text;
      const formats: Format[] = typeof format === "string" ? [format] : [...format];
      // The caller has looked at the stream and at NO_COLOR already.
      return styleText(formats, text, { validateStream: false });
    },
  };
}
