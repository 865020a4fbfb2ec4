/** Describes for a person where the model got another conversation than the one shown. */
import type { ReplacedItem } from "../projection/transcript/transcript_item.ts";
import { sanitizeLine } from "./sanitize.ts";

/** Such as `conversation replaced: history edited (12 messages)`. */
export function replacedText({ reason, messages }: ReplacedItem): string {
  const count = messages === 1 ? "1 message" : `${messages} messages`;
  const why = sanitizeLine(reason);
  return `conversation replaced${why === "" ? "" : `: ${why}`} (${count})`;
}
