/**
 * Reads and writes messages that are lists of blocks, as Anthropic, Bedrock, Gemini and the AI SDK
 * use them. A block becomes one part, and the part becomes the same block again. Block data for
 * which parts have no field is preserved in the part.
 */
import { partsOf } from "../../../core/projection/said_parts.ts";
import type { Content, Output, Part } from "../../../core/event/message.ts";
import { present } from "../../../core/event/present.ts";
import { listAt, type Members, objectAt, refusal, textAt } from "./incoming.ts";
import { amended, type Amendment, amendment, isBlankText, type KeptData } from "./kept.ts";
import { blockOf, keptPart, type PartRules } from "./part.ts";
import { callsIn, listed, type Piece, type ResultPiece } from "./piece.ts";
import type { PieceWriter, Side, Written } from "./restored.ts";

export type BlockMessage = Record<string, unknown>;

export interface ReadResult {
  call_id: string;
  name?: string;
  status: ResultPiece["status"];
  output: Output;
  form?: string | undefined;
}

export interface BlockRules extends PartRules {
  list: "content" | "parts";
  /** True if a message may have a string instead of the list of blocks. */
  texts: boolean;
  roles: Readonly<Record<Piece["role"], string>>;
  /** The side of each role name of the shape: system, user or assistant. */
  sides: Readonly<Record<string, Side>>;
  /** True if the API refuses a blank text in an answer. */
  refuses_blank?: true;
  /** Builds a result's block. The caller then applies the piece's recorded changes to the block. */
  result(piece: ResultPiece): Members;
  readResult(block: Members, at: string): ReadResult | undefined;
}

export function blockPieces(rules: BlockRules, messages: unknown, at: string): Piece[] {
  return listAt(messages, at).flatMap((message, index) =>
    messagePieces(rules, objectAt(message, `${at}[${index}]`), `${at}[${index}]`)
  );
}

function messagePieces(rules: BlockRules, message: Members, at: string): Piece[] {
  const { list, roles, sides } = rules;
  const named = rules.list === "parts" && message.role === undefined ? roles.user : undefined;
  const role = named ?? textAt(message, "role", at);
  const side = Object.hasOwn(sides, role) ? sides[role] : undefined;
  if (side === undefined) {
    throw refusal(`${at}.role`, `is not one of ${Object.keys(sides).join(", ")}`);
  }
  const value = message[list];
  const absent = value === undefined && list === "parts";
  const pieces = typeof value === "string" && rules.texts
    ? [said(rules, side, value)]
    : blocksPieces(rules, side, absent ? [] : listAt(value, `${at}.${list}`), `${at}.${list}`);
  const [first, ...others] = pieces;
  if (first === undefined) throw refusal(at, "has no content");
  const usual = { role: roles[first.role], ...(absent && { [list]: [] }) };
  const { [list]: _, ...rest } = message;
  const change = amendment(usual, rest);
  if (Object.keys(change).length > 0) first.kept.message = change;
  for (const piece of others) piece.kept.joins = true;
  return pieces;
}

function said({ shape }: BlockRules, role: Side, content: Content): Piece {
  return { role, content, kept: { shape } };
}

function blocksPieces(
  rules: BlockRules,
  side: Side,
  blocks: readonly unknown[],
  at: string,
): Piece[] {
  const pieces: Piece[] = [];
  let parts: Part[] = [];
  const close = (): void => {
    if (parts.length > 0) pieces.push(said(rules, side, listed(parts, rules.shape)));
    parts = [];
  };
  for (const [index, value] of blocks.entries()) {
    const place = `${at}[${index}]`;
    const block = objectAt(value, place);
    const result = side === "user" ? rules.readResult(block, place) : undefined;
    if (result === undefined) {
      parts.push(keptPart(rules, block, place) as Part);
      checkCalls(parts, place);
    } else {
      close();
      pieces.push(resultPiece(rules, result, block));
    }
  }
  close();
  return pieces.length > 0 ? pieces : [said(rules, side, [])];
}

/** Rejects a response with two calls of the same id, because results name calls by id. */
export function checkCalls(parts: readonly Part[], place: string): void {
  const last = parts.at(-1);
  // Some shapes have calls without ids.
  if (last?.type !== "tool_call" || last.call_id === "") return;
  const calls = callsIn([...parts]).filter(({ call_id }) => call_id === last.call_id);
  if (calls.length > 1) {
    throw refusal(
      place,
      `has the id ${JSON.stringify(last.call_id)}, but an earlier tool call of the same answer ` +
        "has this id, too",
    );
  }
}

/** Converts a result to a piece. `kept` gets the block's data for which the piece has no field. */
function resultPiece(rules: BlockRules, result: ReadResult, block: Members): ResultPiece {
  const { form, ...read } = result;
  const kept: KeptData = present({ shape: rules.shape, form });
  const piece: ResultPiece = { role: "tool", ...read, kept };
  Object.assign(kept, amendment(rules.result(piece), block));
  return piece;
}

export function blocksOf(rules: BlockRules, piece: Piece): Members[] {
  if (piece.role === "tool") return [amended(rules.result(piece), piece.kept)];
  const parts = partsOf(piece.content);
  // A model may send a blank text beside a call, which its API refuses in the next request.
  const sent = piece.role === "assistant" && rules.refuses_blank
    ? parts.filter((part) => !isBlankText(part))
    : parts;
  return sent.map((part) => blockOf(rules, part));
}

export function blockWriter<Native extends BlockMessage>(
  rules: BlockRules,
  alternate: boolean,
): PieceWriter<Native> {
  const { list, texts, roles, sides, shape, refuses_blank = false } = rules;
  const blocks = (message: Native): Members[] => {
    const value = message[list];
    if (Array.isArray(value)) return value;
    return typeof value === "string" ? [rules.block({ type: "text", text: value }, undefined)] : [];
  };
  const add = (message: Native, more: readonly Members[]): void => {
    Object.assign(message, { [list]: [...blocks(message), ...more] });
  };
  const begin = (piece: Piece): Native[] => {
    const message = begun(rules, piece.role, piece.kept.message);
    const plain = texts && piece.role !== "tool" && typeof piece.content === "string";
    if (plain) return [{ ...message, [list]: piece.content } as Native];
    const own = blocksOf(rules, piece);
    if (own.length === 0 && !(list in message)) return [message as Native];
    return [{ ...message, [list]: own } as Native];
  };
  const gather = ({ native }: Written<Native>, piece: ResultPiece): void => {
    const own = blocks(native);
    const last = own.findLastIndex((block) => rules.readResult(block, "") !== undefined);
    const made = [...own.slice(0, last + 1), ...blocksOf(rules, piece), ...own.slice(last + 1)];
    Object.assign(native, { [list]: made });
  };
  const sideOf = ({ role }: Native): Side => sides[String(role)] ?? "user";
  return {
    shape,
    refuses_blank,
    results_first: true,
    begin,
    join(last: Written<Native>, piece: Piece): boolean {
      if ((sides[roles[piece.role]] ?? "user") !== last.side) return false;
      add(last.native, blocksOf(rules, piece));
      return true;
    },
    gather: alternate ? gather : undefined,
    append(last: Written<Native>, next: Native, kept: boolean): boolean {
      if (!alternate || (last.kept && kept)) return false;
      add(last.native, blocks(next));
      return true;
    },
    copy: (native) => {
      const value = native[list];
      return Array.isArray(value) ? { ...native, [list]: [...value] } : { ...native };
    },
    sideOf,
  };
}

/**
 * Returns a new message without blocks. If the original message had no list of blocks, the new
 * message has no list either.
 */
function begun({ list, roles }: BlockRules, role: Piece["role"], change: Amendment = {}): Members {
  return amended({ role: roles[role], [list]: [] }, change);
}
