/**
 * Reads and writes messages that are lists of items, as OpenAI's Responses API and Agents SDK use
 * them. Consecutive items that the model wrote are one response, with an item per part.
 */
import { partsOf } from "../../../core/projection/said_parts.ts";
import type { Part } from "../../../core/event/message.ts";
import { checkCalls } from "./block_messages.ts";
import { listAt, type Members, objectAt } from "./incoming.ts";
import { amended, amendment, type KeptData, keptOf } from "./kept.ts";
import { blockOf, keptPart, type PartRules, wholePart } from "./part.ts";
import { callsIn, listed, type Piece } from "./piece.ts";
import type { PieceWriter, Side } from "./restored.ts";

type Item = Record<string, unknown>;

export interface ItemRules {
  shape: string;
  /** Rules for items that the model wrote. */
  own: PartRules;
  /** The `type` of items that are results of calls. */
  result: string;
  /** Returns the name of the member that holds an item's texts, or undefined if there is none. */
  texts(item: Members): string | undefined;
  /** Returns the piece of an item that the model did not write. Undefined for a model's item. */
  other(item: Members, at: string): Piece | undefined;
  /** Builds the item of a piece that the model did not write. The caller applies `kept` to it. */
  usual(piece: Piece): Members;
  /** True for a stored history. Unlike in a request, calls may repeat an id or lack a result. */
  history: boolean;
}

/** Converts items to pieces. `before` holds the earlier pieces, if they are known. */
export function itemPieces(
  rules: ItemRules,
  items: unknown,
  at: string,
  before?: readonly Piece[],
): Piece[] {
  const { shape, history } = rules;
  const pieces: Piece[] = [];
  const open = history && before !== undefined ? openCalls(before) : undefined;
  let parts: Part[] = [];
  const close = (): void => {
    const kept = { shape };
    if (parts.length > 0) pieces.push({ role: "assistant", content: listed(parts, shape), kept });
    parts = [];
  };
  const add = (part: Part, place: string): void => {
    if (history && isRepeated(parts, part)) close();
    parts.push(part);
    checkCalls(parts, place);
    if (part.type === "tool_call") count(open, part.call_id, 1);
  };
  for (const [index, value] of listAt(items, at).entries()) {
    const place = `${at}[${index}]`;
    const item = objectAt(value, place);
    const piece = rules.other(item, place);
    if (piece === undefined) { for (const part of itemParts(rules, item, place)) add(part, place); }
    else if (piece.role === "tool" && open !== undefined && !open.has(piece.call_id)) {
      // No model takes a result without its call, so only this shape gets it back.
      add(wholePart(rules.own, item), place);
    } else {
      close();
      if (piece.role === "tool") count(open, piece.call_id, -1);
      Object.assign(piece.kept, amendment(rules.usual(piece), item));
      pieces.push(piece);
    }
  }
  close();
  return pieces;
}

/** Reads an item that the model wrote. Each text of the item becomes a part. */
function itemParts({ own, shape, texts }: ItemRules, item: Members, at: string): Part[] {
  const list = texts(item);
  const blocks = list === undefined ? undefined : item[list];
  if (list === undefined || !Array.isArray(blocks) || blocks.length < 2) {
    return [keptPart(own, item, at) as Part];
  }
  return blocks.map((block, index) => {
    const one = { ...item, [list]: [block] };
    const read = index === 0 ? undefined : own.part(one, at);
    if (read === undefined) return keptPart(own, one, at) as Part;
    // The first part carries the rest of the item.
    const part = keptPart(own, { ...own.block(read.part, read.form), [list]: [block] }, at) as Part;
    const kept: KeptData = { shape, ...keptOf(part.provider_data, shape), joins: true };
    return { ...part, provider_data: kept };
  });
}

function partItems({ own, shape, texts }: ItemRules, parts: readonly Part[]): Item[] {
  const items: Item[] = [];
  for (const part of parts) {
    const item = blockOf(own, part);
    const last = items.at(-1);
    const list = last && keptOf(part.provider_data, shape)?.joins ? texts(last) ?? "" : "";
    const before = last?.[list];
    const more = item[list];
    if (Array.isArray(before) && Array.isArray(more)) {
      items.splice(-1, 1, { ...last, [list]: [...before, ...more] });
    } else items.push(item);
  }
  return items;
}

function isRepeated(parts: readonly Part[], part: Part): boolean {
  return part.type === "tool_call" &&
    callsIn([...parts]).some(({ call_id }) => call_id === part.call_id);
}

/** Counts calls without a result, by id. */
function openCalls(pieces: readonly Piece[]): Map<string, number> {
  const open = new Map<string, number>();
  for (const piece of pieces) {
    if (piece.role === "tool") count(open, piece.call_id, -1);
    else for (const { call_id } of callsIn(piece.content)) count(open, call_id, 1);
  }
  return open;
}

function count(open: Map<string, number> | undefined, call_id: string, change: number): void {
  const number = (open?.get(call_id) ?? 0) + change;
  if (number > 0) open?.set(call_id, number);
  else open?.delete(call_id);
}

export function itemWriter(rules: ItemRules): PieceWriter<Item> {
  const { shape, history, result } = rules;
  return {
    shape,
    history,
    begin(piece): Item[] {
      if (piece.role !== "assistant") return [amended(rules.usual(piece), piece.kept)];
      return partItems(rules, partsOf(piece.content));
    },
    join: () => false,
    copy: (item) => item,
    sideOf: ({ role, type }): Side =>
      role === "system" ? role : role === "user" || type === result ? "user" : "assistant",
  };
}

export function textsIn(list: unknown, type: string): string {
  return (Array.isArray(list) ? list : []).flatMap((value) =>
    value?.type === type && typeof value.text === "string" ? [value.text] : []
  ).join("\n\n");
}
