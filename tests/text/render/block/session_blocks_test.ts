import assert from "node:assert/strict";
import { decodeEvent } from "../../../../lib/core/event/decode.ts";
import type { LogEvent } from "../../../../lib/core/event/envelope.ts";
import { blockName, blockText } from "../../../../lib/text/render/block/block_text.ts";
import { SessionBlocks } from "../../../../lib/text/render/block/session_blocks.ts";

const usage = { input: 12_000, output: 300 };

function event(seq: number, kind: string, payload: object, turn_id?: string): LogEvent {
  const decoded = decodeEvent({
    seq,
    kind,
    payload,
    ...(turn_id === undefined ? {} : { turn_id }),
  });
  assert.ok(decoded !== undefined);
  return decoded;
}

const EVENTS = [
  event(1, "user_message", { content: "one" }, "t1"),
  event(2, "assistant_message", { content: "look", model: "m", usage, cost_usd: 0.25 }, "t1"),
  event(3, "assistant_message", {
    content: [{ type: "tool_call", call_id: "c", name: "read", input: {} }],
  }, "t1"),
  event(4, "user_message", { content: "two" }, "t2"),
  event(5, "assistant_message", { content: "done", model: "m", usage }, "t2"),
];

Deno.test("a turn's usage stands behind its last block, however events arrive", () => {
  const expected = [
    "message 1: one",
    "message 2: look",
    "call 3: read",
    "turn 3: m · 12.0k in, 300 out, $0.25",
    "message 4: two",
    "message 5: done",
    "turn 5: m · 12.0k in, 300 out",
  ];
  for (const size of [1, 2, 5]) {
    const session = new SessionBlocks();
    const blocks = [];
    for (let at = 0; at < EVENTS.length; at += size) {
      blocks.push(...session.take(EVENTS.slice(at, at + size)));
    }
    blocks.push(...session.rest());
    assert.deepEqual(
      blocks.map((block) => `${block.type} ${block.seq}: ${blockText(block)}`),
      expected,
    );
  }
});

Deno.test("blocks have no numbers if their events were not counted", () => {
  const session = new SessionBlocks({ numbered: false });
  const blocks = [...session.take(EVENTS), ...session.rest()].filter(({ type }) => type !== "turn");
  assert.deepEqual([...new Set(blocks.map(blockName))], [""]);
});

Deno.test("the last line counts what is attached, and says how to see it", () => {
  const content = [
    { type: "text", text: "a\nb", name: "notes.txt", audience: "model" },
    { type: "text", text: "read it" },
  ];
  const attached_hint = "to show them: --full";
  const session = new SessionBlocks({ attached_hint });
  const blocks = [...session.take([event(7, "user_message", { content })]), ...session.rest()];
  assert.deepEqual(blocks.map((block) => `${block.type} ${block.seq}: ${blockText(block)}`), [
    "message 7: read it",
    "attached 7: notes.txt, 2 lines\na\nb",
    "turn 7: 1 attached text, 2 lines · to show them: --full",
  ]);
  assert.deepEqual(session.rest(), []);
});

Deno.test("a turn's usage is left out if its prompt was not read", () => {
  const session = new SessionBlocks({ amid_turn: true });
  const blocks = [...session.take(EVENTS.slice(1)), ...session.rest()];
  assert.deepEqual(blocks.map(({ type }) => type), [
    "message",
    "call",
    "message",
    "message",
    "turn",
  ]);
});
