/** Splits the content of a message, and keeps the parts that have no event of their own. */
import { asObject, type Json, present } from "../engine/json.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { type GenAiPart, genAiText, hasPlace } from "../engine/genai/genai_content.ts";
import { NOTHING_SHOWN } from "./guarded_prompt.ts";

/** Returns a message's content. Some files of 2025 have it in `parts`, as the API does. */
export function contentOf({ content, parts }: Json): unknown {
  return content ?? parts;
}

export function withoutHiding({ displayContent, ...message }: Json): Json {
  return displayContent === NOTHING_SHOWN
    ? message
    : { ...message, ...present({ displayContent }) };
}

/** Returns each tool response with the parts after it. The first also gets the parts before it. */
export function responsesIn(
  parts: readonly GenAiPart[],
): { response: Json; beside: GenAiPart[] }[] {
  const found: { response: Json; beside: GenAiPart[] }[] = [];
  const before: GenAiPart[] = [];
  for (const part of parts) {
    if (part.functionResponse !== undefined) {
      found.push({ response: asObject(part.functionResponse), beside: [] });
    } else (found.at(-1)?.beside ?? before).push(part);
  }
  if (found[0] !== undefined) found[0].beside = [...before, ...found[0].beside];
  return found;
}

export function keepRest(
  writer: EventWriter,
  parts: readonly GenAiPart[],
  message: Json,
  origin: EventOrigin,
): void {
  const rest = parts.filter((part) => !hasPlace(part));
  if (rest.length > 0) writer.keep("parts", rest, origin);
  if (
    message.displayContent !== undefined &&
    genAiText(message.displayContent) !== genAiText(message.content)
  ) {
    writer.keep("displayContent", message.displayContent, origin);
  }
}
