/**
 * Converts the parts of messages to the form that is handed over: texts and whole images. Any other
 * attachment becomes a line that names it.
 */
import type {
  AttachmentPart,
  Content,
  Output,
  OutputPart,
  Part,
} from "../../core/event/message.ts";
import type { HandedPart, SessionWriter } from "../../agents/contract/session_writer.ts";
import type { PartCounts } from "./tally.ts";

/**
 * True if an agent's sessions can hold images of a media type. Undefined if they hold all types.
 */
type TakesImage = SessionWriter["takesImage"];

export function saidParts(
  content: Content,
  counts: PartCounts,
  takesImage?: TakesImage,
): HandedPart[] {
  const parts: readonly Part[] = typeof content === "string"
    ? [{ type: "text", text: content }]
    : content;
  return parts.flatMap((part): HandedPart[] => {
    if (part.type === "text") return part.text.trim() === "" ? [] : [textPart(part.text)];
    return part.type === "image" || part.type === "file"
      ? [attachment(part, counts, takesImage)]
      : [];
  });
}

export function outputParts(
  output: Output,
  counts: PartCounts,
  takesImage?: TakesImage,
): HandedPart[] {
  const parts: readonly OutputPart[] = typeof output === "string"
    ? [{ type: "text", text: output }]
    : output;
  const joined: HandedPart[] = [];
  for (const part of parts) {
    const own = outputPart(part, counts, takesImage);
    const last = joined.at(-1);
    if (own.type === "text" && last?.type === "text") last.text += `\n${own.text}`;
    else if (own.type === "image" || own.text !== "") joined.push(own);
  }
  return joined;
}

function outputPart(part: OutputPart, counts: PartCounts, takesImage?: TakesImage): HandedPart {
  if (part.type === "text") return textPart(part.text);
  if (part.type === "json") return textPart(JSON.stringify(part.value));
  return attachment(part, counts, takesImage);
}

function textPart(text: string): HandedPart {
  return { type: "text", text: text.toWellFormed() };
}

function attachment(
  part: AttachmentPart,
  counts: PartCounts,
  takesImage: TakesImage = () => true,
): HandedPart {
  const { type, media_type, data, path } = part;
  if (type === "image" && data !== undefined && data !== "" && takesImage(media_type)) {
    counts.images++;
    return { type, media_type, data };
  }
  counts.attachments++;
  const name = path === undefined ? "" : ` ${path}`;
  return textPart(`[${type}${name} (${media_type}): not handed over]`);
}
