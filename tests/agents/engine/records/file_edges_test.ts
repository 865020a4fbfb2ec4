import assert from "node:assert/strict";
import {
  readEdges,
  readHeadRecords,
  recordsIn,
  reusedEdges,
} from "../../../../lib/agents/engine/records/file_edges.ts";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import { tempFile } from "../../../_support/temp_file.ts";

function withLines(count: number, run: (path: string) => void): void {
  const ids = Array.from({ length: count }, (_, id) => id);
  const lines = ids.map((id) => `${JSON.stringify({ id, pad: "x".repeat(90) })}\n`);
  using file = tempFile("a.jsonl", lines.join(""));
  run(file.path);
}

function ids(records: { value: Record<string, unknown> }[]): unknown[] {
  return records.map(({ value }) => value.id);
}

Deno.test("a small file is all head", () => {
  withLines(5, (path) => {
    const { head, tail, whole, size, modified_at } = readEdges(path);
    assert.deepEqual(ids(recordsIn(head)), [0, 1, 2, 3, 4]);
    assert.deepEqual([tail.length, whole, size], [0, true, Deno.statSync(path).size]);
    assert.match(modified_at ?? "", /^\d{4}-/);
  });
});

Deno.test("the edges of a large file hold whole lines, each once, with their places", () => {
  withLines(1000, (path) => {
    const bytes = Deno.readFileSync(path);
    for (const edge of [110, 333, 4096, 20000]) {
      const { head, tail, whole, cut } = readEdges(path, { head_bytes: edge, tail_bytes: edge });
      assert.equal(whole, false);
      assert.ok(head.length > 0 && tail.length > 0 && cut !== undefined);
      const all = [...head, ...tail];
      assert.equal(new Set(all.map(({ offset }) => offset)).size, all.length);
      for (const { offset, bytes: line } of all) {
        assert.deepEqual(bytes.slice(offset, offset + line.length), new Uint8Array(line));
      }
      assert.equal(ids(recordsIn(tail)).at(-1), 999);
    }
  });
});

Deno.test("edges are the same in room that was used before", () => {
  const { room } = reusedEdges(400, 500);
  assert.ok(room !== undefined);
  for (const count of [5, 1000, 8, 30]) {
    withLines(count, (path) => {
      for (const edges of [{ head_bytes: 400, tail_bytes: 500 }, {}]) {
        const fresh = readEdges(path, edges);
        const reused = readEdges(path, { ...edges, room });
        assert.deepEqual(reused, fresh);
        assert.ok(reused.head.length > 0);
      }
    });
  }
});

Deno.test("an edge that begins with a line has that line", () => {
  withLines(1000, (path) => {
    const size = Deno.statSync(path).size;
    const tailOf = (tail_bytes: number) =>
      recordsIn(readEdges(path, { head_bytes: 0, tail_bytes }).tail);
    const last = tailOf(1000);
    const [first] = last;
    const exact = tailOf(size - (first?.position.offset ?? 0));
    assert.deepEqual(ids(exact), ids(last));
    assert.deepEqual(ids(readHeadRecords(path, 250)), [0, 1]);
  });
});

Deno.test("a line that is longer than an edge is in none of them", () => {
  using file = tempFile("a.jsonl", `{"id":1,"x":"${"y".repeat(5000)}"}\n`);
  const { head, tail, whole } = readEdges(file.path, { head_bytes: 100, tail_bytes: 100 });
  assert.deepEqual([head.length, tail.length, whole], [0, 0, false]);
});

Deno.test("a missing file and a folder are typed errors", () => {
  using file = tempFile("a.jsonl", "");
  const fails = (path: string, code: string): void => {
    assert.throws(
      () => readEdges(path),
      (error) => error instanceof SessionError && error.code === code,
    );
  };
  fails(`${file.folder}/none`, "not-found");
  fails(file.folder, "unsupported-source");
});
