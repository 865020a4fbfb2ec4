import assert from "node:assert/strict";
import { nextHead, NO_HEAD, sha256 } from "../../../lib/features/team/branch_segments.ts";
import { checkedBytes, compress, packBytes } from "../../../lib/features/team/segment_codec.ts";
import type { Segment } from "../../../lib/features/team/team_store.ts";

const plain = new TextEncoder().encode(
  "a line that says the same, and the same again\n".repeat(50),
);

function segmentOf(bytes: Uint8Array): Segment {
  const sha = sha256(bytes);
  const head = nextHead(NO_HEAD, sha);
  return { off: 0, len: bytes.length, sha, head, ...packBytes(bytes) };
}

Deno.test("a segment comes back as it was, compressed or too short for it", () => {
  for (const bytes of [plain, new TextEncoder().encode("x\n")]) {
    assert.deepEqual(new Uint8Array(checkedBytes(segmentOf(bytes), NO_HEAD)), bytes);
  }
  assert.equal(segmentOf(plain).codec, "zstd");
  assert.equal(segmentOf(new TextEncoder().encode("x\n")).codec, "plain");
});

Deno.test("a segment whose length, hash, chain or bytes lie is damaged", () => {
  const good = segmentOf(plain);
  const lies: Partial<Segment>[] = [
    { len: good.len - 1 },
    { len: good.len + 1 },
    { len: 0 },
    { len: 1e12 },
    { sha: sha256(new Uint8Array()) },
    { head: NO_HEAD },
    { bytes: good.bytes.subarray(0, -4) },
    { bytes: new TextEncoder().encode("no zstd") },
    { codec: "plain" },
  ];
  for (const lie of lies) {
    assert.throws(() => checkedBytes({ ...good, ...lie }, NO_HEAD), { code: "damaged" });
  }
  assert.throws(() => checkedBytes(good, good.head), { code: "damaged" });
});

Deno.test("a segment that would become far longer than it claims is stopped at its length", () => {
  const bytes = compress(new Uint8Array(8 * 1024 * 1024));
  const bomb: Segment = { ...segmentOf(plain), bytes, codec: "zstd" };
  assert.ok(bytes.length < 100_000);
  assert.throws(() => checkedBytes(bomb, NO_HEAD), {
    code: "damaged",
    message: /cannot be decompressed/,
  });
});

Deno.test("a sealed segment says that an identity is missing", () => {
  assert.throws(() => checkedBytes({ ...segmentOf(plain), codec: "sealed" }, NO_HEAD), {
    code: "encrypted",
  });
});
