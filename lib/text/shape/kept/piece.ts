/** Pieces of a request in any shape. Each has the data of one event. */
import { callInputText } from "../../../core/event/call_input.ts";
import type {
  CallStatus,
  Content,
  Output,
  OutputPart,
  Part,
  ToolCallPart,
} from "../../../core/event/message.ts";
import type { PayloadByKind } from "../../../core/event/payload.ts";
import type { KeptData } from "./kept.ts";

/** A prompt, or instructions. */
export interface SaidPiece {
  role: "system" | "user";
  content: Content;
  kept: KeptData;
  /** Sequence number of the piece's first event. Absent if unknown. */
  seq?: number | undefined;
}

/** A response of the model, or the part of a response before the results of its calls. */
interface AnswerPiece {
  role: "assistant";
  content: Content;
  kept: KeptData;
  seq?: number | undefined;
}

export interface ResultPiece {
  role: "tool";
  call_id: string;
  /** The tool's name. Absent if the shape's results do not name tools. */
  name?: string;
  status: CallStatus;
  output: Output;
  kept: KeptData;
}

export type Piece = SaidPiece | AnswerPiece | ResultPiece;

/** Facts about the last response that a message cannot hold, such as model, usage and cost. */
export type ResponseFacts = Omit<
  PayloadByKind["assistant_message"],
  "content" | "message_id" | "provider_data"
>;

export function callsIn(content: Content): ToolCallPart[] {
  return typeof content === "string" ? [] : content.filter((part) => part.type === "tool_call");
}

/** Returns `parts`. A single text gets `provider_data`, to stay a list if converted back. */
export function listed<Item extends Part | OutputPart>(parts: Item[], shape: string): Item[] {
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== "text" || only.provider_data !== undefined) return parts;
  return [{ ...only, provider_data: { shape } satisfies KeptData }];
}

/** Returns a call's arguments as JSON text. Arguments that were not valid JSON stay unchanged. */
export function callText(part: ToolCallPart): string {
  const { input, input_text } = part;
  return typeof input === "string" && input_text === undefined ? input : callInputText(part);
}
