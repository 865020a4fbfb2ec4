import assert from "node:assert/strict";
import { indexTree, walkTree } from "../../../lib/reading/tree/record_tree.ts";
import { chosenThread, sideBranches, walkThread } from "../../../lib/reading/tree/side_branches.ts";

interface Node {
  id: string;
  parent_id?: string | undefined;
}

/** `b<a` follows `a`; a name alone is a root. */
function nodesOf(text: string): Node[] {
  return text.split(" ").map((pair) => {
    const [id = "", parent_id] = pair.split("<");
    return { id, parent_id };
  });
}

function branchesOf(text: string, leaf: string): [string, string | undefined, string][] {
  const nodes = nodesOf(text);
  const tree = indexTree(nodes);
  const { path: live } = walkTree(tree, leaf);
  return sideBranches(nodes, tree, { live }).map(({ id, parent, path }) => [
    id,
    parent,
    path.map((node) => node.id).join(""),
  ]);
}

Deno.test("each record beside the live branch is on one branch, named by its first own record", () => {
  assert.deepEqual(branchesOf("a b<a c<b x<a y<x d<c", "d"), [["x", "main", "xy"]]);
  assert.deepEqual(branchesOf("a b<a", "b"), []);
  assert.deepEqual(branchesOf("a b<a r s<r", "b"), [["r", undefined, "rs"]]);
});

Deno.test("of two branches that leave at one place, the later goes on, the earlier leaves it", () => {
  assert.deepEqual(branchesOf("a x<a y<x z<x b<a", "b"), [["x", "main", "xz"], ["y", "x", "y"]]);
});

Deno.test("cycles, missing parents and ids that repeat end no walk twice", () => {
  assert.deepEqual(branchesOf("a p<q q<p", "a"), [["p", undefined, "pq"]]);
  assert.deepEqual(branchesOf("a s<s", "a"), [["s", undefined, "s"]]);
  assert.deepEqual(branchesOf("a m<gone", "a"), [["m", undefined, "m"]]);
  assert.deepEqual(branchesOf("a x x<a", "a"), [["x", "main", "x"]]);
});

Deno.test("a thread is named by a record on it, or the first characters of its own", () => {
  const nodes = nodesOf("root b1<root b2<b1 x1<b1 x2<x1 c77<root lost<gone");
  const tree = indexTree(nodes);
  const live = walkTree(tree, "root");
  const way = (name?: string): string =>
    walkThread(name, live, nodes, tree).path.map(({ id }) => id).join(" ");
  assert.equal(way(), "root");
  assert.equal(way("main"), "root");
  assert.equal(way("root"), "root");
  assert.equal(way("b1"), "root b1 x1 x2");
  assert.equal(way("x1"), "root b1 x1 x2");
  assert.equal(way("b2"), "root b1 b2");
  assert.equal(way("c7"), "root c77");
  assert.deepEqual(walkThread("lost", live, nodes, tree).broken, {
    code: "missing-parent",
    at: "lost",
    parent_id: "gone",
  });
  assert.throws(() => way("zz"), { code: "not-found" });
  assert.throws(() => chosenThread("a", ["ab", "ac"]), { code: "ambiguous" });
  assert.equal(chosenThread("a", ["a", "ab"]), "a");
});
