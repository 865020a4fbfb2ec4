import assert from "node:assert/strict";
import { type BuiltPart, PartBuilder } from "../../../../lib/library/search/index/part_builder.ts";
import { SourceTexts, TEXT } from "../../../../lib/library/search/index/index_source.ts";
import type { AgentSession } from "../../../../lib/agents/contract/agent.ts";

const SAID = { role: "user", time: NaN, size: 9, offset: 0, length: 0, thread: 0 } as const;

function sessionOf(id: string): AgentSession {
  return { agent: "pi", id, path: `/w/${id}` };
}

function end(builder: PartBuilder, id: string): void {
  builder.endSource({ session: sessionOf(id), stamps: [], from: 0, to: 9 });
}

Deno.test("PartBuilder numbers the groups of a session, and of those after one that was dropped", () => {
  const parts: BuiltPart[] = [];
  const builder = new PartBuilder((part) => parts.push(part));
  for (let seq = 0; seq < 130; seq++) builder.add({ ...SAID, seq }, ["some text"]);
  end(builder, "long");
  end(builder, "empty");
  builder.add({ ...SAID, seq: 0 }, ["void text"]);
  builder.dropSource();
  builder.add({ ...SAID, seq: 0 }, ["last text"]);
  end(builder, "last");
  builder.flush();
  builder.flush();
  assert.equal(parts.length, 1);
  const [{ groups = 0, sources = [], is_whole } = {}] = parts;
  const ranges = sources.map(({ id, groups, texts }) => [id, groups, texts]);
  assert.deepEqual([groups, is_whole, ranges], [5, true, [[0, 3, 130], [3, 1, 0], [4, 1, 1]]]);
  const texts = new SourceTexts(sources[0]?.packed ?? new Uint8Array());
  assert.deepEqual([0, 63, 64, 129].map((index) => texts.get(index, TEXT.GROUP)), [0, 0, 1, 2]);
});

// Slow: a part has room for 4 million pairs.
Deno.test("PartBuilder spreads a long session over several parts", () => {
  const parts: BuiltPart[] = [];
  const builder = new PartBuilder((part) => parts.push(part));
  let seq = 0;
  for (; parts.length < 2; seq++) {
    const codes = Array.from({ length: 20_000 }, (_, at) => 0x4e00 + (at * 7919 + seq) % 20_000);
    builder.add({ ...SAID, seq, size: codes.length }, [String.fromCharCode(...codes)]);
  }
  end(builder, "long");
  end(builder, "next");
  builder.flush();
  assert.equal(parts.length, 3);
  const [one, two, three] = parts as [BuiltPart, BuiltPart, BuiltPart];
  assert.deepEqual([two.first, three.first], [one.groups, one.groups + two.groups]);
  assert.deepEqual(parts.map(({ is_whole }) => is_whole), [true, false, false]);
  assert.deepEqual(three.sources.map(({ id, groups }) => [id, groups]), [[0, seq], [seq, 1]]);
});
