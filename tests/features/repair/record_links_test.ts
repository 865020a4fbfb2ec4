import assert from "node:assert/strict";
import { type LinkedRecord, mendLinks } from "../../../lib/features/repair/record_links.ts";
import type { RecordLinks } from "../../../lib/agents/contract/session_repair.ts";

const LINKS: RecordLinks = { id: "id", parent: "parentId", wins: "last", bridged: false };

/** Records by `id<parent`, those of which only remains are left with a `?` before. */
function records(text: string): LinkedRecord[] {
  let index = 0;
  return text.split(" ").map((word, at) => {
    const [, torn, id = "", parent] = /^(\??)(\w+)<(\w*|-)$/.exec(word) ?? [];
    return {
      ...{ index: torn ? -1 : index++, id, offset: at * 10, length: 10, line: at + 1 },
      parent: parent === "-" ? undefined : parent || null,
    };
  });
}

interface Mended {
  changes: Record<number, string | null | undefined>;
  found: string[];
}

function mend(
  text: string,
  { relink = false, dropped = [] as number[], bridged = false } = {},
): Mended {
  const options = { links: { ...LINKS, bridged }, relink, dropped: new Set(dropped) };
  const { changes, findings } = mendLinks(records(text), options);
  return {
    changes: Object.fromEntries([...changes].map(([index, { parent }]) => [index, parent])),
    found: findings.map(({ damage, line, repair, needs = "" }) =>
      `${damage} ${line} ${repair === undefined ? "stays" : "mended"} ${needs}`.trim()
    ),
  };
}

Deno.test("sound links stay, branches and first records too", () => {
  assert.deepEqual(mend("a< b<a c<b d<b e<"), { changes: {}, found: [] });
  // What stood before the first record is not known, and nothing can be followed.
  assert.deepEqual(mend("b<a c<b", { relink: true }), { changes: {}, found: [] });
});

Deno.test("a link past a torn record is no guess if its remains name its parent", () => {
  assert.deepEqual(mend("a< ?b<a c<b").changes, { 1: "a" });
  assert.deepEqual(mend("a< ?b<a ?c<b d<c").changes, { 1: "a" });
  assert.deepEqual(mend("?a< b<a c<b").changes, { 0: null });
  assert.deepEqual(mend("a< ?b<- c<b"), { changes: {}, found: ["lost-parent 3 stays relink"] });
  assert.deepEqual(mend("a< ?b<- c<b", { relink: true }).changes, { 1: "a" });
});

Deno.test("a lost parent is the record before, if that is asked for", () => {
  assert.deepEqual(mend("a< c<b"), { changes: {}, found: ["lost-parent 2 stays relink"] });
  assert.deepEqual(mend("a< c<b", { relink: true }).changes, { 1: "a" });
  // The record before follows it itself.
  assert.deepEqual(mend("a< c<d d<x", { relink: true }).changes, {});
  assert.deepEqual(mend("a< c<b", { relink: true, bridged: true }), { changes: {}, found: [] });
});

Deno.test("records behind a removed record follow its parent", () => {
  assert.deepEqual(mend("a< b<a c<b d<c e<b", { dropped: [1, 2] }).changes, { 3: "a", 4: "a" });
  assert.deepEqual(mend("a< b<a", { dropped: [0] }).changes, { 1: null });
  assert.deepEqual(mend("a< b<a c<b", { dropped: [1], bridged: true }).changes, { 2: "a" });
});

Deno.test("a circle is cut at its first record", () => {
  assert.deepEqual(mend("a<c b<a c<b"), { changes: { 0: null }, found: ["parent-cycle 1 mended"] });
  assert.deepEqual(mend("a< b<c c<b").changes, { 1: null });
  assert.deepEqual(mend("a< b<c c<b").found, ["parent-cycle 2 mended relink"]);
  assert.deepEqual(mend("a< b<c c<b", { relink: true }).changes, { 1: "a" });
  assert.deepEqual(mend("a< b<b").changes, { 1: null });
  assert.deepEqual(mend("a< b<c c<b d<e e<d", { relink: true }).changes, { 1: "a", 3: "c" });
  assert.deepEqual(mend("a< b<c c<b", { bridged: true }).found, ["parent-cycle 2 stays"]);
});
