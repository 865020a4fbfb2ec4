import assert from "node:assert/strict";
import {
  describeBroken,
  indexTree,
  type TreeNode,
  type Walk,
  walkTree,
} from "../../../lib/reading/tree/record_tree.ts";

interface Named extends TreeNode {
  name?: string;
}

function node(id: string, parent_id?: string, name?: string): Named {
  return {
    id,
    ...(parent_id === undefined ? {} : { parent_id }),
    ...(name === undefined ? {} : { name }),
  };
}

function ids({ path }: Walk<Named>): string[] {
  return path.map(({ id }) => id);
}

Deno.test("a walk goes from the root to the leaf, past other branches", () => {
  const tree = indexTree([node("a"), node("b", "a"), node("x", "a"), node("c", "b")]);
  assert.deepEqual(ids(walkTree(tree, "c")), ["a", "b", "c"]);
  assert.equal(walkTree(tree, "c").broken, undefined);
  assert.deepEqual(ids(walkTree(tree, "none")), []);
});

Deno.test("of records with one id the last wins, or the first", () => {
  const nodes = [node("a", undefined, "first"), node("a", undefined, "last")];
  assert.equal(indexTree(nodes).get("a")?.name, "last");
  assert.equal(indexTree(nodes, "first").get("a")?.name, "first");
});

Deno.test("a missing parent and a cycle end the walk, and are said", () => {
  const missing = walkTree(indexTree([node("b", "gone"), node("c", "b")]), "c");
  assert.deepEqual(ids(missing), ["b", "c"]);
  assert.deepEqual(missing.broken, { code: "missing-parent", at: "b", parent_id: "gone" });
  for (const nodes of [[node("a", "a")], [node("a", "b"), node("b", "a")]]) {
    const { broken, path } = walkTree(indexTree(nodes), "a");
    assert.equal(path.length, nodes.length);
    assert.equal(broken?.code, "parent-cycle");
    assert.match(describeBroken(broken), /its own ancestor/);
  }
});

Deno.test("a walk can follow another edge, and a great many records", () => {
  const count = 200_000;
  const nodes = Array.from({ length: count }, (_, at) => node(`${at}`));
  const previous = ({ id }: Named): string | undefined =>
    id === "0" ? undefined : `${Number(id) - 1}`;
  assert.equal(walkTree(indexTree(nodes), `${count - 1}`, previous).path.length, count);
});
