/** Cuts a block of any length to fit a page. Pure. */
import { present } from "../../../core/event/present.ts";
import type { Block } from "./block.ts";

/** The space left for a block. It shrinks with each part that is taken. */
interface Room {
  characters: number;
  /** Number of diff lines and inner blocks that still fit. */
  parts: number;
  /** True after a part did not fit. All later parts are then left out. */
  is_full: boolean;
}

/**
 * @param characters Maximum characters of the block's texts.
 * @param parts Maximum number of diff lines and inner blocks.
 */
export function cutBlock(
  block: Block,
  characters: number,
  parts: number,
): { block: Block; is_whole: boolean } {
  const room = { characters, parts, is_full: false };
  const beginning = cut(block, room);
  return { block: beginning, is_whole: !room.is_full };
}

function cut(block: Block, room: Room): Block {
  switch (block.type) {
    case "prose":
    case "thinking":
    case "reminder":
    case "code":
      return { ...block, text: cutText(block.text, room) };
    case "command":
      return {
        ...block,
        command: cutText(block.command, room),
        content: cutAll(block.content, room),
      };
    case "call": {
      const { input, ...call } = block;
      const fits = input !== undefined && take(JSON.stringify(input)?.length ?? 0, room);
      const shown = fits ? input : undefined;
      return present({ ...call, input: shown, content: cutAll(block.content, room) });
    }
    case "message":
    case "attached":
    case "notice":
      return { ...block, content: cutAll(block.content, room) };
    case "diff": {
      const lines = block.lines.filter(({ content }) => take(content.length, room, 1));
      return { ...block, lines };
    }
    case "attachment": {
      const { data, ...part } = block.part;
      return data === undefined || take(data.length, room) ? block : { ...block, part };
    }
    case "head":
    case "turn":
      return block;
  }
}

function cutAll(blocks: readonly Block[], room: Room): Block[] {
  return blocks.flatMap((block) => take(0, room, 1) ? [cut(block, room)] : []);
}

function cutText(text: string, room: Room): string {
  const shown = text.slice(0, Math.max(0, room.characters));
  room.characters -= shown.length;
  room.is_full ||= shown.length < text.length;
  return shown;
}

/** Takes the space of a part that cannot be cut. Returns false if there is too little. */
function take(characters: number, room: Room, parts = 0): boolean {
  room.is_full ||= characters > room.characters || parts > room.parts;
  if (room.is_full) return false;
  room.characters -= characters;
  room.parts -= parts;
  return true;
}
