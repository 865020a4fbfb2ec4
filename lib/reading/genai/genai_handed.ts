/**
 * Contents of Google's GenAI SDK for sessions that are handed over. Gemini CLI and Qwen Code keep
 * them, and have some tools in common.
 */
import type { HandedCall, HandedPart, ToolForms } from "../../source/session_writer.ts";
import type { GenAiPart } from "./genai_content.ts";
import { present } from "../json_value.ts";

/** The tools with the same arguments in both. */
export const GENAI_TOOLS: ToolForms = {
  bash: {
    name: "run_shell_command",
    input: ({ command, description }) => present({ command, description }),
  },
  write: {
    name: "write_file",
    input: ({ path, content }) => ({ file_path: path, content }),
  },
};

/** Returns the user's words and images. Texts side by side become one: the agents join them bare. */
export function handedParts(parts: readonly HandedPart[]): GenAiPart[] {
  const made: GenAiPart[] = [];
  let text: string | undefined;
  for (const part of parts) {
    if (part.type === "text") {
      text = text === undefined ? part.text : `${text}\n\n${part.text}`;
      continue;
    }
    if (text !== undefined) made.push({ text });
    text = undefined;
    made.push({ inlineData: { mimeType: part.media_type, data: part.data } });
  }
  return text === undefined ? made : [...made, { text }];
}

export function handedFunctionCall({ id, name, input }: HandedCall): GenAiPart {
  return { functionCall: { id, name, args: input } };
}

/** Returns the response to a call, without its images. */
export function handedResponse(
  { id, name, failed, output }: HandedCall,
): { id: string; name: string; response: Readonly<Record<string, string>> } {
  const text = outputText(output);
  return { id, name, response: failed ? { error: text } : { output: text } };
}

/** Returns the images that a call gave. */
export function handedImages({ output }: HandedCall): GenAiPart[] {
  return handedParts(output.filter(({ type }) => type === "image"));
}

/** Longer outputs would make the file twice as large. */
const MOST_SHOWN_LENGTH = 30_000;

/** Returns the result as a person sees it in a resumed session; nothing where it is long. */
export function shownResult({ output }: HandedCall): string | undefined {
  const text = outputText(output);
  return text.length > MOST_SHOWN_LENGTH ? undefined : text;
}

function outputText(output: readonly HandedPart[]): string {
  return output.flatMap((part) => part.type === "text" ? part.text : []).join("\n");
}
