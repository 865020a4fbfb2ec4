/**
 * The line that opens an item.
 *
 * @module
 */
import type { ItemBase } from "../../projection/transcript_item.ts";
import type { Format } from "../style.ts";
import { timeLabel } from "../time_label.ts";
import { cutText, textWidth } from "../text_width.ts";
import type { View } from "./view.ts";

/** A piece of a line, sanitized. */
export interface Segment {
  text: string;
  format?: Format | readonly Format[];
}

const SEPARATOR = " · ";

/** Pieces between dots. What does not fit is cut from the end. */
export function renderSegments(segments: readonly Segment[], view: View): string {
  let room = view.width;
  const shown: string[] = [];
  for (const segment of segments) {
    const separator = shown.length === 0 ? "" : SEPARATOR;
    if (segment.text === "" || room <= separator.length) continue;
    const text = cutText(segment.text, room - separator.length);
    room -= separator.length + textWidth(text);
    shown.push(view.style.paint("dim", separator) + view.style.paint(segment.format ?? [], text));
  }
  return shown.join("");
}

/** When an item came, and the number that names it on the command line. */
export function originSegments(item: ItemBase, view: View): Segment[] {
  const time = item.time === undefined ? "" : timeLabel(item.time, view.format_time);
  return [{ text: time, format: "dim" }, { text: `#${item.seq}`, format: "dim" }];
}
