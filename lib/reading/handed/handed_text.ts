/** The text of handed parts, for agents whose sessions hold texts alone. */
import type { HandedPart } from "../../source/session_writer.ts";

/** Returns the texts of parts, one a line; an image is named. */
export function handedText(parts: readonly HandedPart[]): string {
  return parts.map(partText).join("\n");
}

/** Returns the text of a part; of an image, a line that says what it was. */
export function partText(part: HandedPart): string {
  return part.type === "text" ? part.text : `[image (${part.media_type}): not handed over]`;
}
