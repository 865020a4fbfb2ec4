/**
 * The shape of OpenAI's Agents SDK: the items of a `Session`.
 *
 * @module
 */
import { callInput } from "../../../core/event/call_input.ts";
import type { Message, OutputPart, Part } from "../../../core/event/message.ts";
import { type Members, refusal, textAt, valueOf } from "../kept/incoming.ts";
import { itemPieces, type ItemRules, itemWriter, textsIn } from "../kept/item_messages.ts";
import type { KeptData } from "../kept/kept.ts";
import type { SpelledPart } from "../kept/part.ts";
import { callText, type Piece } from "../kept/piece.ts";
import { type PieceWriter, restored } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import { turns } from "../usual/turn.ts";
import { usualMessages, withReasoning } from "../usual/usual_messages.ts";
import {
  AGENTS,
  agentsContent,
  readContent,
  readOutput,
  usualOutput,
} from "./openai_agents_blocks.ts";

/** One piece of a prompt or of a call's output. */
export type AgentsContentPart =
  | { type: "input_text"; text: string }
  | { type: "input_image"; image: string }
  | { type: "input_file"; file: string; filename?: string };

/** One item of a session of OpenAI's Agents SDK. Unknown members are kept. */
export type AgentsItem =
  | { type: "message"; role: "system"; content: string }
  | { type: "message"; role: "user"; content: string | AgentsContentPart[] }
  | {
    type: "message";
    role: "assistant";
    status: "completed";
    content: { type: "output_text"; text: string }[];
  }
  | { type: "reasoning"; content: { type: "input_text"; text: string }[] }
  | { type: "function_call"; callId: string; name: string; arguments: string; status: "completed" }
  | {
    type: "function_call_result";
    callId: string;
    name: string;
    status: "completed";
    output: { type: "text"; text: string } | AgentsContentPart[];
  };

const ITEMS: ItemRules = {
  shape: AGENTS,
  own: { shape: AGENTS, part: readOwn, block: usualOwn },
  result: "function_call_result",
  texts: ({ type, role }) => type === "reasoning" || role === "assistant" ? "content" : undefined,
  other: readOther,
  usual: usualOther,
  history: true,
};

/** Returns a converter for well-formed messages in which each call has its result. */
export function agentsItems(): Stage<Message, AgentsItem> {
  const writer = itemWriter(ITEMS) as unknown as PieceWriter<AgentsItem>;
  const items = restored(writer, () => usualMessages(writer, turns(), withReasoning));
  return chained(items, each((item) => [valueOf(item)]));
}

export function agentsPieces(items: unknown, at: string, before?: readonly Piece[]): Piece[] {
  return itemPieces(ITEMS, items, at, before);
}

function readOther(item: Members, at: string): Piece | undefined {
  const kept: KeptData = { shape: AGENTS };
  if (item.type === "function_call_result") {
    const call_id = textAt(item, "callId", at);
    const name = textAt(item, "name", at);
    const { form, output } = readOutput(item.output, `${at}.output`);
    if (form !== undefined) kept.form = form;
    return call_id === "" ? undefined : { role: "tool", call_id, name, status: "ok", output, kept };
  }
  if (item.type !== undefined && item.type !== "message") return undefined;
  const { role, content } = item;
  if (role === "assistant") return undefined;
  if (role !== "user" && role !== "system") {
    throw refusal(`${at}.role`, "is not one of user, system, assistant");
  }
  return { role, content: readContent(content, `${at}.content`), kept };
}

function usualOther(piece: Piece): Members {
  if (piece.role !== "tool") {
    const { role, content } = piece;
    return { type: "message", role, content: agentsContent(content) };
  }
  const { call_id: callId, name = "tool" } = piece;
  const output = usualOutput(piece);
  return { type: "function_call_result", callId, name, status: "completed", output };
}

function readOwn(item: Members, at: string): SpelledPart | undefined {
  if (item.type === "function_call") {
    const call_id = textAt(item, "callId", at);
    const name = textAt(item, "name", at) || "tool";
    const input = callInput(textAt(item, "arguments", at));
    return call_id === "" ? undefined : { part: { type: "tool_call", call_id, name, ...input } };
  }
  const { content } = item;
  if (item.type === "reasoning") {
    return { part: { type: "reasoning", text: textsIn(content, "input_text") } };
  }
  if (item.role !== "assistant") {
    textAt(item, "type", at);
    return undefined;
  }
  if (typeof content === "string") return { part: { type: "text", text: content }, form: "string" };
  return { part: { type: "text", text: textsIn(content, "output_text") } };
}

function usualOwn(part: Part | OutputPart, form: string | undefined): Members {
  if (part.type === "tool_call") {
    const { call_id: callId, name } = part;
    return {
      type: "function_call",
      callId,
      name,
      arguments: callText(part),
      status: "completed",
    };
  }
  if (part.type === "reasoning") {
    const { text } = part;
    return { type: "reasoning", content: text === "" ? [] : [{ type: "input_text", text }] };
  }
  const text = part.type === "text" ? part.text : "";
  const content = form === "string" ? text : [{ type: "output_text", text }];
  return { type: "message", role: "assistant", status: "completed", content };
}
