import assert from "node:assert/strict";
import { lineType, looksWhole } from "../../../lib/agents/codex/recognized_line.ts";
import { blockOf } from "../../../lib/agents/engine/records/taken_lines.ts";
import { toRolloutRecord } from "../../../lib/agents/codex/rollout_record.ts";
import { fixture } from "./_codex_home.ts";

const encoder = new TextEncoder();
const FIXTURES = ["legacy", "paginated", "compacted", "apply_patch", "tools", "interrupted"];

function typeOf(line: string): string {
  const position = { offset: 0, length: 0, line: 1 };
  return toRolloutRecord({ value: JSON.parse(line), position }).type;
}

Deno.test("the first bytes of a line tell the type that parsing it tells", async () => {
  let told = 0;
  for (const name of FIXTURES) {
    for (const line of (await Deno.readTextFile(fixture(`${name}.jsonl`))).trim().split("\n")) {
      const type = lineType(encoder.encode(line));
      if (type !== undefined) told++;
      assert.ok(type === undefined || type === typeOf(line), line);
      // Within a block, what stands before and behind the line tells nothing.
      const block = encoder.encode(`${line}${line}\n${line}`);
      const end = block.length - encoder.encode(line).length - 1;
      const from = block.length - 2 * (block.length - end - 1) - 1;
      assert.equal(lineType(block, from, end), type, line);
    }
  }
  assert.ok(told > 100);
});

Deno.test("a line that begins in another way tells nothing", () => {
  for (
    const line of [
      "",
      "{",
      '{"type":"event_msg","payload":{}}',
      '{"timestamp":"2026","type":"event_msg","payload":"text"}',
      '{"timestamp":"2026","type":"event_msg"}',
      '{"timestamp":"2026',
      '{"timestamp":"2026","ordinal":1',
      '{"timestamp":"2026","type":"event_msg","payload":{"type":"item_completed","turn":1}}',
    ]
  ) {
    assert.equal(lineType(encoder.encode(line)), undefined, line);
  }
  const bare = encoder.encode('{"timestamp":"2026","type":"world_state","payload":{"full":true}}');
  assert.equal(lineType(bare), "world_state");
});

Deno.test("a payload without a type is told again by its first field", () => {
  const line = (payload: object): Uint8Array =>
    encoder.encode(JSON.stringify({
      timestamp: "2026-11-01T08:00:00.000Z",
      type: "turn_context",
      payload: { ...payload, text: "x".repeat(200) },
    }));
  for (let round = 0; round < 3; round++) {
    assert.equal(lineType(line({ turn_id: `${round}` })), "turn_context");
    assert.equal(lineType(line({ type: "odd", turn_id: "1" })), "turn_context/odd");
    assert.equal(lineType(line({ type_of: "odd" })), "turn_context");
  }
});

Deno.test("a line with another glued to it is not whole, nor one that was torn", () => {
  const line = '{"timestamp":"2026","type":"world_state","payload":{"full":true}}';
  const isWhole = (text: string): boolean =>
    looksWhole(blockOf(encoder.encode(text)), 0, text.length);
  assert.ok(isWhole(line));
  assert.ok(!isWhole(line.slice(0, -1) + ","));
  assert.ok(!isWhole(line.slice(0, 30) + line));
  assert.ok(!isWhole("\0" + line));
});
