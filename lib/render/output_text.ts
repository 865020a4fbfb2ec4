/** Renders a call's output as text: values as JSON, one line for each image or file. */
import type { Output, OutputPart } from "../event/message.ts";
import { attachmentText } from "./attachment.ts";

/** Returns the text of an output; empty where it gave nothing. */
export function outputText(output: Output | undefined): string {
  if (output === undefined || typeof output === "string") return output ?? "";
  return output.map(partText).join("\n");
}

function partText(part: OutputPart): string {
  if (part.type === "text") return part.text;
  if (part.type === "json") return JSON.stringify(part.value, undefined, 2);
  return attachmentText(part);
}
