/**
 * Takes a request of any shape apart: what one event says is a piece of it.
 */
import { callInputText, parseCallInput } from "../../event/call_input.ts";
import type {
  CallStatus,
  Content,
  Output,
  OutputPart,
  Part,
  ToolCallPart,
} from "../../event/message.ts";
import type { AssistantMessagePayload } from "../../event/payload.ts";
import type { KeptData } from "./kept.ts";

/** What the user says, or instructions. */
export interface SaidPiece {
  role: "system" | "user";
  content: Content;
  kept: KeptData;
  /** Number of its first event, where that is known. */
  seq?: number;
}

/** A response of the model, or the part of one up to the results of its calls. */
interface AnswerPiece {
  role: "assistant";
  content: Content;
  kept: KeptData;
  /** Number of its first event, where that is known. */
  seq?: number;
}

/** The result of one call. */
export interface ResultPiece {
  role: "tool";
  call_id: string;
  /** The tool's name, where the shape says it. */
  name?: string;
  status: CallStatus;
  output: Output;
  kept: KeptData;
}

/** A piece of a request. */
export type Piece = SaidPiece | AnswerPiece | ResultPiece;

/** The facts about the last response that a request does not hold. */
export type ResponseFacts = Omit<
  AssistantMessagePayload,
  "content" | "message_id" | "provider_data"
>;

/** Returns the parts of a content. */
export function partsOf(content: Content): Part[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** Returns the calls of a content. */
export function callsIn(content: Content): ToolCallPart[] {
  return typeof content === "string" ? [] : content.filter((part) => part.type === "tool_call");
}

/** Marks a text that stands alone in a list: a fold would make a string of it. */
export function listed<Item extends Part | OutputPart>(parts: Item[], shape: string): Item[] {
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== "text" || only.provider_data !== undefined) return parts;
  return [{ ...only, provider_data: { shape } satisfies KeptData }];
}

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
