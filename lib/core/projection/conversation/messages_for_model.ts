/** Chooses the parts of messages that the model gets, without parts for the user alone. */
import { contentFor, oneText } from "../../event/audience.ts";
import { contentText, type Message, type Part } from "../../event/message.ts";
import { pairCalls } from "./paired_messages.ts";

export interface SentChoice {
  /** If `omit`, calls and results are left out, and only texts are sent. @default {"include"} */
  tools?: "include" | "omit" | undefined;
  /** `include` also sends the reasoning of earlier answers. @default {"omit"} */
  reasoning?: "include" | "omit" | undefined;
  /** The output for a call without a result. */
  unanswered_call?: string | undefined;
}

/** Returns the chosen parts of messages, and pairs each chosen call with one result. */
export function chosenForModel(
  all: readonly Message[],
  { tools, reasoning = "omit", unanswered_call }: SentChoice,
): Message[] {
  if (tools === "omit") return textsOnly(all.map(ownMessage));
  return pairCalls(reasoning === "omit" ? all.flatMap(withoutReasoning) : all, unanswered_call);
}

export function messagesForModel(messages: readonly Message[]): Message[] {
  return messages.flatMap(messageForModel);
}

/** Returns the chosen parts of messages whose calls already have their results. */
export function builtForModel(
  messages: Message[],
  { tools, reasoning = "omit" }: SentChoice,
): Message[] {
  if (tools === "omit") return textsOnly(messages);
  const has_omitted = reasoning === "omit" && messages.some(hasReasoning);
  return has_omitted ? messages.flatMap(withoutReasoning) : messages;
}

function messageForModel(message: Message): Message[] {
  const { content } = message;
  if (typeof content === "string") return [message];
  const own = contentFor(content, "model");
  if (own.length === 0 && content.length > 0) return [];
  return [{ ...message, content: typeof own === "string" ? own : own.map(partForModel) }];
}

function partForModel(part: Part): Part {
  if (part.type !== "tool_result") return part;
  const output = contentFor(part.output, "model");
  return output === part.output ? part : { ...part, output };
}

function ownMessage({ role, content }: Message): Message {
  return { role, content };
}

function textsOnly(messages: readonly Message[]): Message[] {
  const texts: Message[] = [];
  for (const message of messages) {
    const { role, content } = message;
    const text = role === "tool" ? "" : contentText(content);
    if (text === "") continue;
    if (text === content && message.provider_data === undefined) texts.push(message);
    else {
      // The data for the provider belongs to the whole message.
      const { provider_data: _, ...rest } = message;
      texts.push({ ...rest, content: text });
    }
  }
  return texts;
}

function hasReasoning({ content }: Message): boolean {
  return typeof content !== "string" && content.some(isReasoning);
}

function withoutReasoning(message: Message): Message[] {
  const { role, content } = message;
  if (typeof content === "string" || !hasReasoning(message)) return [message];
  const rest = content.filter((part) => !isReasoning(part));
  if (rest.length === 0) return [];
  return [{ ...message, content: role === "assistant" ? oneText(rest) : rest }];
}

function isReasoning(part: Part): boolean {
  return part.type === "reasoning";
}
