/**
 * The line that opens an item.
 *
 * @module
 */
import type { ItemBase } from "../../projection/transcript/transcript_item.ts";
import type { Format } from "../style.ts";
import { timeLabel } from "../time_label.ts";
import { cutText, textWidth } from "../text_width.ts";
import { narrowView, type View } from "./view.ts";

/** A piece of a line, sanitized. */
export interface Segment {
  text: string;
  format?: Format | readonly Format[];
}

/** Stands between the pieces of a line. */
export const SEPARATOR = " · ";
/** Columns of the separator. */
export const SEPARATOR_WIDTH = 3;

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

/** The number of an item's event; nothing where it is 0, for nobody has counted what is before it. */
export function numberText({ seq }: Pick<ItemBase, "seq">): string {
  return seq === 0 ? "" : ` #${seq}`;
}

/** Who speaks, the number that names the event on the command line, and what else is known. */
export function renderSpeaker(
  name: Segment,
  item: ItemBase,
  details: readonly Segment[],
  view: View,
): string {
  const number = numberText(item);
  const head = view.style.paint(name.format ?? [], name.text) + view.style.paint("dim", number);
  const time = item.time === undefined ? "" : timeLabel(item.time, view.format_time);
  const known = [...details, { text: time, format: "dim" } as const];
  const rest = renderSegments(known, narrowView(view, textWidth(head) + SEPARATOR_WIDTH));
  return rest === "" ? head : head + view.style.paint("dim", SEPARATOR) + rest;
}
