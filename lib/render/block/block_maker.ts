/** Makes blocks from the items of a transcript, one item after another. */
import { present } from "../../event/present.ts";
import type { DiffItem, TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { Block, BlockBase, BlockOptions, DiffBlock } from "./block.ts";
import type { BlockContext } from "./block_context.ts";
import { attachedBlock } from "./attached_block.ts";
import { callBlock, commandBlock } from "./call_block.ts";
import { FOLDS } from "./folds.ts";
import { headBlock } from "./head_block.ts";
import { messageBlock } from "./message_block.ts";
import { noticeBlock } from "./notice_block.ts";
import { relativePath } from "../relative_path.ts";
import { Reminders } from "./reminders.ts";

/** Makes the blocks of one session. Its memory does not grow with the session. */
export class BlockMaker {
  readonly #context: BlockContext;

  constructor(options: BlockOptions = {}) {
    this.#context = { ...options, reminders: new Reminders() };
  }

  /** Makes the block of an item; undefined where the item shows nothing. */
  blockOf(item: TranscriptItem): Block | undefined {
    // The directory of the first head counts: a copied one belongs to another session.
    if (item.type === "session") this.#context.cwd ??= item.session.cwd;
    return blockOf(item, this.#context);
  }
}

/**
 * Makes the block of a single item; undefined where the item shows nothing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { blockOfItem } from "./block_maker.ts";
 *
 * const block = blockOfItem({ type: "reasoning", text: "hm", seq: 2, integrity: "verified" });
 * assert.deepEqual([block?.type, block?.seq], ["thinking", 2]);
 * ```
 */
export function blockOfItem(item: TranscriptItem, options: BlockOptions = {}): Block | undefined {
  return new BlockMaker(options).blockOf(item);
}

function blockOf(item: TranscriptItem, context: BlockContext): Block | undefined {
  const base = blockBase(item, context.numbered ?? true);
  switch (item.type) {
    case "session":
      return headBlock(item, base, context.head_facts);
    case "message":
      return messageBlock(item, base, context);
    case "attached":
      return attachedBlock(item, base, context);
    case "reasoning":
      return item.text.trim() === ""
        ? undefined
        : { type: "thinking", ...base, text: item.text, fold: FOLDS.thinking };
    case "tool":
      return context.tools === "none" ? undefined : callBlock(item, base, context);
    case "bash":
      return context.tools === "none" ? undefined : commandBlock(item, base, context);
    case "diff":
      return context.tools === "none" ? undefined : diffBlock(item, base, context);
    default:
      return noticeBlock(item, base, context.tools);
  }
}

function blockBase(
  { seq, end_seq, id = "", integrity }: TranscriptItem,
  numbered: boolean,
): BlockBase {
  return present({
    seq,
    end_seq,
    ...(numbered ? {} : { id }),
    ...(integrity === "mismatch" || integrity === "salvaged" ? { doubt: integrity } : {}),
  });
}

function diffBlock(
  { path, lines }: DiffItem,
  base: BlockBase,
  { tools, cwd }: BlockContext,
): DiffBlock {
  return {
    type: "diff",
    ...base,
    ...(path === undefined ? {} : { path: relativePath(path, cwd) }),
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
    lines: tools === "brief" ? [] : lines,
    fold: FOLDS.diff,
  };
}
