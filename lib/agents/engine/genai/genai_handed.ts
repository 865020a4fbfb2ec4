/**
 * Builds contents of Google's GenAI SDK for sessions that are handed over to Gemini CLI or Qwen
 * Code. Both agents store such contents, and have some tools in common.
 */
import type {
  HandedAnswer,
  HandedCall,
  HandedPart,
  ToolForms,
} from "../../contract/session_writer.ts";
import { outputText } from "../handed/line.ts";
import type { GenAiPart } from "./genai_content.ts";
import { present } from "../json.ts";

/** Returns the tools. `every` names the edit tool's argument that replaces all matches. */
export function genAiTools(edit: { name: string; every: string }): ToolForms {
  return {
    bash: {
      name: "run_shell_command",
      input: ({ command, description }) => present({ command, description }),
    },
    read: {
      name: "read_file",
      // Qwen Code counts lines from 0, and Gemini CLI takes a first and a last line. Other agents
      // count from 1.
      input: ({ path, offset, limit }) =>
        offset === undefined && limit === undefined ? { file_path: path } : undefined,
    },
    write: {
      name: "write_file",
      input: ({ path, content }) => ({ file_path: path, content }),
    },
    edit: {
      name: edit.name,
      input: ({ path, old_text, new_text, all }) =>
        present({
          file_path: path,
          old_string: old_text,
          new_string: new_text,
          [edit.every]: all,
        }),
    },
  };
}

/** Converts the user's texts and images. Joins adjacent texts with a blank line. */
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

export function answerParts({ text, calls }: HandedAnswer): GenAiPart[] {
  const said = text === "" ? [] : [{ text }];
  const functionCalls = calls.map(({ id, name, input }) => ({
    functionCall: { id, name, args: input },
  }));
  return [...said, ...functionCalls];
}

export function handedResponse(
  { id, name, failed, output }: HandedCall,
): { id: string; name: string; response: Readonly<Record<string, string>> } {
  const text = outputText(output);
  return { id, name, response: failed ? { error: text } : { output: text } };
}

export function handedImages({ output }: HandedCall): GenAiPart[] {
  return handedParts(output.filter(({ type }) => type === "image"));
}

/**
 * Maximum characters of a result that is stored a second time for display. Longer results would
 * make the file too large.
 */
const MOST_SHOWN_LENGTH = 30_000;

export function shownResult({ output }: HandedCall): string | undefined {
  const text = outputText(output);
  return text.length > MOST_SHOWN_LENGTH ? undefined : text;
}
