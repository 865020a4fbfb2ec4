import assert from "node:assert/strict";
import { indexTree, walkTree } from "../../lib/agents/record_tree.ts";
import { chosenThread, namedRecord, sideBranches } from "../../lib/agents/side_branches.ts";

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

Deno.test("a thread is named by any record's id, or the first characters of its own", () => {
  const nodes = nodesOf("root b1<root b2<b1 c77<root");
  const tree = indexTree(nodes);
  const branches = () => sideBranches(nodes, tree, { live: [nodes[0] as Node] });
  assert.equal(namedRecord(undefined, tree, branches), undefined);
  assert.equal(namedRecord("main", tree, branches), undefined);
  assert.equal(namedRecord("b2", tree, branches), "b2");
  assert.equal(namedRecord("c7", tree, branches), "c77");
  assert.throws(() => namedRecord("zz", tree, branches), { code: "not-found" });
  assert.throws(() => chosenThread("a", ["ab", "ac"]), { code: "ambiguous" });
  assert.equal(chosenThread("a", ["a", "ab"]), "a");
});
