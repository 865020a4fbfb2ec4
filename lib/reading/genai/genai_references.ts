/**
 * Splits a prompt of Gemini CLI or Qwen Code from the files that it refers to. Both append their
 * contents between two lines (`atCommandProcessor.ts`), and show the prompt alone.
 */
import { toContent } from "../../event/audience.ts";
import type { Content, Part, TextPart } from "../../event/message.ts";
import { toParts } from "../../projection/said_parts.ts";
import { ourContent, shownContent } from "./genai_content.ts";

const START = "\n--- Content from referenced files ---";
/** The lines around what a prompt refers to: of a file its heading, with the file's name. */
const FRAMES =
  /(\n--- Content from referenced files ---|\nContent from @[^\n]*:\n|\n--- End of content ---)/;
const HEADING = /^\nContent from @([^\n]*):\n$/;

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
  const at = parts.findIndex((part) => part.type === "text" && part.text.includes(START));
  const first = parts[at];
  if (first?.type !== "text") return { own: [...parts], attached: [] };
  const start = first.text.indexOf(START);
  const prompt: Part[] = start === 0 ? [] : [{ ...first, text: first.text.slice(0, start) }];
  const rest = [{ ...first, text: first.text.slice(start) }, ...parts.slice(at + 1)];
  return { own: [...parts.slice(0, at), ...prompt], attached: hiddenParts(rest) };
}

function hiddenParts(parts: readonly Part[]): Part[] {
  let name = "referenced files";
  return parts.flatMap((part): Part[] => {
    if (part.type !== "text") return [{ ...part, audience: "model" }];
    return part.text.split(FRAMES).flatMap((text, index) => {
      name = HEADING.exec(text)?.[1] ?? name;
      // Every other piece is a frame.
      return text === "" ? [] : [hidden(text, index % 2 === 1 ? undefined : name)];
    });
  });
}

function hidden(text: string, name: string | undefined): TextPart {
  const part: TextPart = { type: "text", text, continues: true, audience: "model" };
  return name === undefined ? part : { ...part, name };
}
