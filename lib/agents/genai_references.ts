/**
 * Splits a prompt of Gemini CLI or Qwen Code from the files that it refers to. Both append their
 * contents between two lines (`atCommandProcessor.ts`), and show the prompt alone.
 */
import { toContent } from "../event/audience.ts";
import type { Content, Part, TextPart } from "../event/message.ts";
import { toParts } from "../projection/said_parts.ts";
import { ourContent, shownContent } from "./genai_content.ts";

const START = "\n--- Content from referenced files ---";
const END = "\n--- End of content ---";
const HEADING = /(\nContent from @[^\n]*:\n)/;

/**
 * Returns what is said: the prompt for both, and what it refers to for the model.
 *
 * @param shown What the user saw in place of the prompt; absent where that is the same.
 * @returns The content, and whether `shown` has its place in it.
 */
export function promptContent(
  parts: readonly Part[],
  shown: string | undefined,
): { content: Content; is_shown: boolean } {
  const { own, attached } = splitReferences(parts);
  const seen = shown === undefined ? undefined : shownContent(shown, own);
  const content = seen ?? ourContent(own);
  const is_shown = seen !== undefined;
  if (attached.length === 0) return { content, is_shown };
  return { content: toContent([...toParts(content), ...attached]), is_shown };
}

function splitReferences(parts: readonly Part[]): { own: Part[]; attached: Part[] } {
  const own: Part[] = [];
  const attached: Part[] = [];
  let name: string | undefined;
  for (const part of parts) {
    const start = part.type === "text" && attached.length === 0 ? part.text.indexOf(START) : 0;
    const begins = part.type === "text" && part.text.startsWith(START, start) && start >= 0;
    if (attached.length === 0 && !begins) own.push(part);
    else if (part.type !== "text") attached.push({ ...part, audience: "model" });
    else {
      if (start > 0) own.push({ type: "text", text: part.text.slice(0, start) });
      for (const text of part.text.slice(start).split(HEADING)) {
        const [, heading] = /^\nContent from @([^\n]*):\n$/.exec(text) ?? [];
        const is_frame = heading !== undefined || text === START || text.trim() === END.trim();
        name = heading ?? name ?? "referenced files";
        if (text !== "") attached.push(hidden(text, is_frame ? undefined : name));
      }
    }
  }
  return { own, attached };
}

function hidden(text: string, name: string | undefined): TextPart {
  const part: TextPart = { type: "text", text, continues: true, audience: "model" };
  return name === undefined ? part : { ...part, name };
}
