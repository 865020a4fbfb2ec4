/** Makes the block of what an agent attached to a prompt. */
import { contentText } from "../../event/message.ts";
import { toParts } from "../../projection/said_parts.ts";
import type { AttachedItem } from "../../projection/transcript/transcript_item.ts";
import { languageOf } from "../code_language.ts";
import { counted } from "../counted.ts";
import { relativePath } from "../relative_path.ts";
import type { AttachedBlock, Block, BlockBase } from "./block.ts";
import type { BlockContext } from "./block_context.ts";
import { codeBlock } from "./call_block.ts";
import { FOLDS } from "./folds.ts";

/** The block of an attached text or file. */
export function attachedBlock(
  { name, content }: AttachedItem,
  base: BlockBase,
  { cwd }: BlockContext,
): AttachedBlock {
  const language = languageOf(name);
  const inner = { seq: base.seq };
  return {
    type: "attached",
    ...base,
    name: relativePath(name, cwd),
    lines: countLines(contentText(content)),
    content: toParts(content).flatMap((part): Block[] => {
      if (part.type === "image" || part.type === "file") {
        return [{ type: "attachment", ...inner, part }];
      }
      if (part.type !== "text") return [];
      const code = codeBlock("Text", part.text, inner, FOLDS.file);
      return [{ ...code, ...(language && { language }) }];
    }),
  };
}

/** A line of nothing but a tag stands around the text. */
function countLines(text: string): number {
  return text.trim().split("\n").filter((line) => !/^<[^<>]*>$/.test(line.trim())).length;
}

/** Says on one line what is attached, and how long it is. */
export function attachedLine({ name, lines }: AttachedBlock): string {
  return lines === 0 ? name : `${name}, ${counted(lines, "line")}`;
}
