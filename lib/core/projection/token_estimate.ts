/** Estimates the tokens of a text without the model's own tokenizer. */
import type { Message, Output, Part } from "../event/message.ts";

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_MESSAGE = 4;
/** Tokens that most models count for an image of usual size. */
const TOKENS_PER_ATTACHMENT = 1500;

export function textTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

export function messageTokens(messages: readonly Message[]): number {
  let sum = 0;
  for (const { content } of messages) {
    sum += TOKENS_PER_MESSAGE;
    if (typeof content === "string") sum += textTokens(content);
    else for (const part of content) sum += partTokens(part);
  }
  return sum;
}

export function outputTokens(output: Output): number {
  if (typeof output === "string") return textTokens(output);
  let sum = 0;
  for (const part of output) {
    if (part.type === "text") sum += textTokens(part.text);
    else if (part.type === "json") sum += textTokens(JSON.stringify(part.value));
    else sum += TOKENS_PER_ATTACHMENT;
  }
  return sum;
}

export function partTokens(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return textTokens(part.text);
    case "tool_call":
      return textTokens(part.name + (JSON.stringify(part.input) ?? ""));
    case "tool_result":
      return outputTokens(part.output);
    default:
      return TOKENS_PER_ATTACHMENT;
  }
}
