/** Shows an event of a session among what was said before it. */
import type { Block } from "../lib/render/block/block.ts";
import type { Output } from "./_context.ts";
import type { SessionView } from "./_session_view.ts";

/** The number of blocks shown before the named one. */
export const BEFORE = 2;

/** A view that begins a little before an event, and marks it. */
export async function inSurroundings(
  view: SessionView<Block>,
  { seq, numbered }: { seq: number; numbered: boolean },
  output: Output,
  color: boolean,
): Promise<SessionView<Block>> {
  const { createStyle } = await import("../lib/render/style.ts");
  const { blockName } = await import("../lib/render/block/block_text.ts");
  const style = createStyle(color);
  let before: Block[] = [];
  let found: Block | undefined;
  function shown(blocks: readonly Block[]): Block[] {
    if (found !== undefined) return [...blocks];
    const at = blocks.findIndex((block) => (block.end_seq ?? block.seq) >= seq);
    before = [...before, ...at < 0 ? blocks : blocks.slice(0, at)].slice(-BEFORE);
    if (at < 0) return [];
    found = blocks[at];
    return [...before, ...blocks.slice(at)];
  }
  return {
    ...view,
    take: (events) => shown(view.take(events)),
    rest: () => shown(view.rest()),
    print(block): void {
      const name = numbered ? ` #${seq}` : blockName(block);
      if (block === found) output.write(`${style.paint(["bold", "yellow"], `▶${name}`)}\n`);
      view.print(block);
    },
  };
}
