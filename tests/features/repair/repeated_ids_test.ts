import assert from "node:assert/strict";
import type { LinkedRecord } from "../../../lib/features/repair/record_links.ts";
import { withUniqueIds } from "../../../lib/features/repair/repeated_ids.ts";
import type { RecordLinks } from "../../../lib/agents/contract/session_repair.ts";

const LINKS: RecordLinks = { id: "id", parent: "parentId", wins: "last", bridged: false };

/** Records by `id<parent=words`. */
function records(text: string): LinkedRecord[] {
  return text.split(" ").map((word, index) => {
    const [, id = "", parent = "", words = ""] = /^(\w+)<(\w*)=(\w+)$/.exec(word) ?? [];
    const place = { offset: index * 10, length: 10, line: index + 1 };
    return { index, id, parent: parent || null, words: words.charCodeAt(0), ...place };
  });
}

function unique(text: string, { relink = true, merges = false } = {}): [string[], string[]] {
  const options = { links: { ...LINKS, merges }, relink, dropped: new Set<number>() };
  const { records: own, findings } = withUniqueIds(records(text), options);
  return [
    own.map(({ id, parent }) => `${id}<${parent ?? ""}`),
    findings.map(({ damage, line, repair, needs = "" }) =>
      `${damage} ${line} ${repair === undefined ? "stays" : "mended"} ${needs}`.trim()
    ),
  ];
}

Deno.test("a record whose id another one has gets an id of its own, and stands before it", () => {
  assert.deepEqual(unique("a0<=x b0<a0=y b0<a0=z c0<b0=w"), [
    ["a0<", "b1<a0", "b0<b1", "c0<b0"],
    ["repeated-id 2 mended"],
  ]);
  // What stands between them follows the first.
  assert.deepEqual(unique("a0<=x b0<a0=y c0<b0=z b0<c0=w d0<b0=v"), [
    ["a0<", "b1<a0", "c0<b1", "b0<c0", "d0<b0"],
    ["repeated-id 2 mended"],
  ]);
  assert.deepEqual(unique("b0<=x b1<b0=y b0<=z b0<=w")[0], ["b2<", "b1<b2", "b3<b2", "b0<b3"]);
});

Deno.test("ids that say the same twice, and ids that a client merges, stay", () => {
  assert.deepEqual(unique("a0<=x b0<a0=y b0<a0=y c0<b0=w")[1], []);
  assert.deepEqual(unique("a0<=x b0<a0=y b0<a0=z", { merges: true })[1], []);
});

Deno.test("a repeated id is told where guesses are not wanted", () => {
  assert.deepEqual(unique("a0<=x b0<a0=y b0<a0=z c0<b0=w", { relink: false }), [
    ["a0<", "b0<a0", "b0<a0", "c0<b0"],
    ["repeated-id 2 stays relink"],
  ]);
});
