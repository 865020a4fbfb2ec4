/** Paints texts. The maker of a style decides once whether it has colour. */
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

/** Adds escapes for colours and styles to texts, or leaves the texts unchanged. */
export interface Style {
  /** True if `paint` adds escapes. */
  readonly color: boolean;
  /** Returns a line with these formats. The line must not contain escapes. */
  paint(format: Format | readonly Format[], text: string): string;
}

/** Makes a style. Without colour it never writes an escape. */
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
