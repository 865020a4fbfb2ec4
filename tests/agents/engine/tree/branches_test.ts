/** Paths and branches of the smallest trees: `b<a` follows `a`, a name alone is a root. */
import assert from "node:assert/strict";
import { asName, asNumber } from "../../../../lib/agents/engine/json.ts";
import { otherBranches, stepsFromRoot } from "../../../../lib/agents/engine/tree/branches.ts";
import { indexRecords } from "../../../../lib/agents/engine/tree/index_file.ts";
import { pathIn } from "../../../../lib/agents/engine/tree/live_path.ts";
import type { PathFormat } from "../../../../lib/agents/engine/tree/path_format.ts";
import {
  recordId,
  recordName,
  rowOf,
  type TreeIndex,
} from "../../../../lib/agents/engine/tree/record_index.ts";
import { rowOfStep, type Steps } from "../../../../lib/agents/engine/tree/steps.ts";
import { chosenThread } from "../../../../lib/agents/engine/threads.ts";

interface Head {
  /** The record that the session goes on from. */
  leaf: string;
}

const FORMAT: PathFormat<Head> = {
  repeated: "last",
  types: ["said", "reply", "aside"],
  head: () => ({ leaf: "" }),
  idOf: ({ value }) => asName(value.id),
  index: ({ value }) => ({
    id: asName(value.id) ?? "",
    parent_id: asName(value.parent),
    type: asName(value.type) ?? "said",
    flags: value.type === "reply" ? REPLY : 0,
    answer: asNumber(value.answer) ?? 0,
  }),
  leaf: (index) => rowOf(index, index.head.leaf),
  isCompaction: (index, row) => recordName(index, row) === "compaction",
  isAside: (index, row) => recordName(index, row) === "aside",
  answers: { type: 0, reply_type: 1, reply_flag: 16, apart_flag: 32 },
};
const REPLY = 16;

type Fields = Record<string, unknown>;

function indexOf(text: string, leaf: string, fields: Record<string, Fields> = {}): TreeIndex<Head> {
  const records = text.split(" ").map((pair, at) => {
    const [id = "", parent] = pair.split("<");
    const position = { offset: at, length: 1, line: at + 1 };
    return { value: { id, parent, ...fields[id] }, position };
  });
  const index = indexRecords(FORMAT, records);
  index.head.leaf = leaf;
  return index;
}

function ids(index: TreeIndex<Head>, steps: Steps | readonly number[]): string {
  return Array.from(steps, (step) => recordId(index, rowOfStep(step))).join(" ");
}

function branchesOf(text: string, leaf: string): [string, string | undefined, string][] {
  const index = indexOf(text, leaf);
  const branches = otherBranches(FORMAT, index, pathIn(FORMAT, index).line);
  return branches.map(({ steps, parent }) => {
    const left = parent && (branches[parent.branch]?.rows[0] ?? -1);
    const name = left === undefined ? undefined : left < 0 ? "main" : recordId(index, left);
    return [ids(index, steps.slice(0, 1)), name, ids(index, steps)];
  });
}

Deno.test("each record beside the live branch is on one branch, named by its first own record", () => {
  assert.deepEqual(branchesOf("a b<a c<b x<a y<x d<c", "d"), [["x", "main", "x y"]]);
  assert.deepEqual(branchesOf("a b<a", "b"), []);
  assert.deepEqual(branchesOf("a b<a r s<r", "b"), [["r", undefined, "r s"]]);
});

Deno.test("two branches leave at one place: the later goes on, the earlier leaves it", () => {
  assert.deepEqual(branchesOf("a x<a y<x z<x b<a", "b"), [["x", "main", "x z"], ["y", "x", "y"]]);
});

Deno.test("cycles, missing parents and ids that repeat end no walk twice", () => {
  assert.deepEqual(branchesOf("a p<q q<p", "a"), [["p", undefined, "p q"]]);
  assert.deepEqual(branchesOf("a s<s", "a"), [["s", undefined, "s"]]);
  assert.deepEqual(branchesOf("a m<gone", "a"), [["m", undefined, "m"]]);
  assert.deepEqual(branchesOf("a x x<a", "a"), [["x", "main", "x"]]);
});

Deno.test("a walk goes from the root to the leaf, and tells where it lost its way", () => {
  const way = (text: string, leaf: string): [string, unknown] => {
    const index = indexOf(text, leaf);
    const { steps, broken } = pathIn(FORMAT, index);
    return [ids(index, steps), broken[0]];
  };
  assert.deepEqual(way("a b<a x<a c<b", "c"), ["a b c", undefined]);
  assert.deepEqual(way("a", "none"), ["", undefined]);
  const missing = { code: "missing-parent", at: "b", parent_id: "gone" };
  assert.deepEqual(way("b<gone c<b", "c"), ["b c", missing]);
  assert.deepEqual(way("a<b b<a", "b"), ["a b", { code: "parent-cycle", at: "a", parent_id: "b" }]);
  assert.equal(way("c<b b<a a", "c")[0], "a b c", "parents may come later");
});

Deno.test("a branch's path goes along those that it leaves, from the root on", () => {
  const index = indexOf("root b1<root b2<b1 x1<b1 x2<x1 c77<root lost<gone", "root");
  const live = pathIn(FORMAT, index);
  const branches = otherBranches(FORMAT, index, live.line);
  const ways = branches.map((branch) =>
    ids(index, stepsFromRoot(FORMAT, index, live.line, branches, branch))
  );
  assert.deepEqual(ways, ["lost", "root c77", "root b1 x1 x2", "root b1 b2"]);
  const { broken } = pathIn(FORMAT, index, { branch: "lost" });
  assert.deepEqual(broken, [{ code: "missing-parent", at: "lost", parent_id: "gone" }]);
});

Deno.test("the pieces of an answer, the replies beside the way and asides come with it", () => {
  const index = indexOf("u p1<u p2<p1 r1<p1 r2<p2 n<r2 q<r2", "q", {
    p1: { answer: 7 },
    p2: { answer: 7 },
    r1: { type: "reply" },
    r2: { type: "reply" },
    n: { type: "aside" },
  });
  const { steps } = pathIn(FORMAT, index);
  assert.equal(ids(index, steps), "u p1 p2 r1 r2 n q");
  assert.deepEqual(otherBranches(FORMAT, index, steps), []);
});

Deno.test("in force is what stands from the last compaction on", () => {
  const index = indexOf("a k<a b<k", "b", { k: { type: "compaction" } });
  assert.equal(ids(index, pathIn(FORMAT, index, { in_force: true }).steps), "k b");
});

Deno.test("ids of a UUID's form are found as others are, among a great many", () => {
  const uuid = (at: number): string =>
    `c0ffee00-0000-4000-8000-${at.toString(16).padStart(12, "0")}`;
  const count = 20_000;
  const text = Array.from({ length: count }, (_, at) => `${uuid(at + 1)}<${uuid(at)}`);
  const index = indexOf([uuid(0), ...text].join(" "), uuid(count));
  assert.equal(pathIn(FORMAT, index).steps.length, count + 1);
  assert.equal(recordId(index, rowOf(index, uuid(77))), uuid(77));
  assert.equal(rowOf(index, uuid(count + 1)), -1);
});

Deno.test("a thread is named by its id or the first characters of it", () => {
  assert.throws(() => chosenThread("zz", ["ab"]), { code: "not-found" });
  assert.throws(() => chosenThread("a", ["ab", "ac"]), { code: "ambiguous" });
  assert.equal(chosenThread("a", ["a", "ab"]), "a");
  assert.equal(chosenThread("ab", ["a", "abc"]), "abc");
});
