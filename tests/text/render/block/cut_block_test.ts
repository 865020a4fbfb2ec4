import assert from "node:assert/strict";
import type { Block } from "../../../../lib/text/render/block/block.ts";
import { blockOfItem } from "../../../../lib/text/render/block/block_maker.ts";
import { blockText } from "../../../../lib/text/render/block/block_text.ts";
import { cutBlock } from "../../../../lib/text/render/block/cut_block.ts";
import { SAMPLE_ITEMS } from "../_sample_items.ts";

Deno.test("a block with room for all of it stays as it is", () => {
  for (const item of SAMPLE_ITEMS) {
    const whole = blockOfItem(item) as Block;
    assert.deepEqual(cutBlock(whole, 1e6, 1e6), { block: whole, is_whole: true });
  }
});

Deno.test("a longer block is cut to its beginning, and says so", () => {
  for (const item of SAMPLE_ITEMS) {
    const whole = blockOfItem(item) as Block;
    for (const room of [0, 3, 10]) {
      const { block, is_whole } = cutBlock(whole, room, room);
      assert.equal(block.type, whole.type);
      const [text, all] = [blockText(block), blockText(whole)];
      assert.ok(text.length <= all.length);
      if (text !== all) assert.ok(!is_whole, whole.type);
    }
  }
  const fold = { head: 1, tail: 0 };
  const output = { type: "code", seq: 1, label: "Output", text: "0123456789", fold } as const;
  const message = {
    type: "message",
    seq: 1,
    role: "user",
    content: [output, output, output],
  } as const;
  const { block } = cutBlock({ ...message, content: [...message.content] }, 15, 10);
  assert.equal(blockText(block), "0123456789\n\n01234");
  const fewer = cutBlock({ ...message, content: [...message.content] }, 100, 2);
  assert.deepEqual([blockText(fewer.block), fewer.is_whole], ["0123456789\n\n0123456789", false]);
});
