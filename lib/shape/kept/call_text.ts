/** The arguments of a call as the text that OpenAI's interfaces have in their place. */
import { callInputText, parseCallInput } from "../../event/call_input.ts";
import type { ToolCallPart } from "../../event/message.ts";

/** Reads arguments. Those that are no JSON stay the text that they are. */
export function callInput(text: string): Pick<ToolCallPart, "input" | "input_text"> {
  try {
    return parseCallInput(text);
  } catch {
    // SyntaxError, or RangeError of one that nests too deep.
    return { input: text };
  }
}

/** Returns the text of arguments. */
export function callText(part: ToolCallPart): string {
  const { input, input_text } = part;
  return typeof input === "string" && input_text === undefined ? input : callInputText(part);
}
