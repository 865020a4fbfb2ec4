/** Converts messages of any origin for a provider, without content that the provider rejects. */
import type {
  AttachmentPart,
  Message,
  OutputPart,
  Part,
  ReasoningPart,
} from "../../../core/event/message.ts";
import type { Piece } from "../kept/piece.ts";
import type { PieceWriter } from "../kept/restored.ts";
import { chained, each, type Stage } from "../stage.ts";
import type { InlineFile } from "./attachment.ts";
import type { OutputItem, SettledCall } from "./settled_call.ts";
import { thinkingSeal } from "./thinking_seal.ts";
import type { UserTurn, UsualTurn } from "./turn.ts";

/** A rule for the model's reasoning. It returns the parts to send back, or none. */
type ReasoningRule = (part: ReasoningPart) => Part[];

/** Drops reasoning, for providers that accept it only with data such as a signature. */
export function withoutReasoning(): Part[] {
  return [];
}

export function withReasoning({ text }: ReasoningPart): Part[] {
  return [{ type: "reasoning", text }];
}

/** Returns a rule that converts Anthropic's signed reasoning with `make`, and drops other parts. */
export function signedReasoning(
  make: (text: string, signature: string) => Part,
): ReasoningRule {
  return ({ text, provider_data }) => {
    const seal = thinkingSeal(provider_data);
    return seal !== undefined && "signature" in seal ? [make(text, seal.signature)] : [];
  };
}

export function usualMessages<Native>(
  writer: PieceWriter<Native>,
  turns: Stage<Message, UsualTurn>,
  reasoning: ReasoningRule,
): Stage<Message, Native> {
  return chained(turns, each((turn) => turnMessages(writer, turn, reasoning)));
}

function turnMessages<Native>(
  writer: PieceWriter<Native>,
  turn: UsualTurn,
  reasoning: ReasoningRule,
): Native[] {
  const natives: Native[] = [];
  for (const piece of piecesOf(turn, writer.shape, reasoning)) {
    const last = natives.at(-1);
    const written = last === undefined
      ? undefined
      : { native: last, side: writer.sideOf(last), kept: true };
    if (written !== undefined && piece.kept.joins && writer.join(written, piece)) continue;
    for (const native of writer.begin(piece)) natives.push(native);
  }
  return natives;
}

function piecesOf(turn: UsualTurn, shape: string, reasoning: ReasoningRule): Piece[] {
  const { seq } = turn;
  if (turn.role === "system") {
    return [{ role: "system", content: turn.text, kept: { shape }, seq }];
  }
  if (turn.role === "user") {
    return [{ role: "user", content: turn.parts.map(userPart), kept: { shape }, seq }];
  }
  const content = [
    ...turn.parts.flatMap((part) => part.type === "text" ? [part] : reasoning(part)),
    ...turn.calls.map(callPart),
  ];
  const results = turn.calls.map((call) => resultOf(call, shape));
  const answer: Piece = { role: "assistant", content, kept: { shape }, seq };
  return content.length === 0 ? [] : [answer, ...results];
}

function userPart(part: UserTurn["parts"][number]): Part {
  return part.type === "text" ? part : attachment(part);
}

function attachment({ type, media_type, data, filename }: InlineFile): AttachmentPart {
  const kind = type === "image" ? "image" : "file";
  return { type: kind, media_type, data, path: filename, sha256: "", bytes: 0 };
}

function callPart({ id, name, input, input_text }: SettledCall): Part {
  const call = { type: "tool_call" as const, call_id: id, name, input };
  return input_text === undefined ? call : { ...call, input_text };
}

function resultOf({ id, name, failed, output }: SettledCall, shape: string): Piece {
  const [only] = output;
  const single = output.length === 1 && only?.type === "text";
  return {
    role: "tool",
    call_id: id,
    name,
    status: failed ? "error" : "ok",
    output: single ? only.text : output.map(outputPart),
    kept: { shape, joins: true },
  };
}

function outputPart(item: OutputItem): OutputPart {
  return item.type === "text" || item.type === "json" ? item : attachment(item);
}
