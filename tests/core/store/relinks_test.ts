import assert from "node:assert/strict";
import {
  formerDirectories,
  isWithin,
  type Relink,
  relinkedDirectory,
  relinkRef,
  toRelink,
  withRelink,
} from "../../../lib/core/store/relinks.ts";

const T1 = "2026-11-21T20:00:01.000Z";
const T2 = "2026-11-21T20:00:02.000Z";
const T3 = "2026-11-21T20:00:03.000Z";
const BEFORE = "2026-11-21T19:00:00.000Z";

function moved(...moves: [string, string, string][]): Relink[] {
  return moves.reduce<Relink[]>(
    (relinks, [from, to, time]) => withRelink(relinks, { from, to, time }),
    [],
  );
}

Deno.test("a relink takes along the directory and all below it, and nothing that is named like it", () => {
  const relinks = moved(["/a", "/b/c", T1]);
  const at = (cwd: string): string => relinkedDirectory(cwd, BEFORE, relinks);
  assert.deepEqual(["/a", "/a/sub/x", "/a/"].map(at), ["/b/c", "/b/c/sub/x", "/b/c"]);
  assert.deepEqual(["/ab", "/", "/x/a", "/b"].map(at), ["/ab", "/", "/x/a", "/b"]);
});

Deno.test("relinks are followed in their order: on and on, and back again", () => {
  const on = moved(["/a", "/b", T1], ["/b", "/c", T2]);
  assert.equal(relinkedDirectory("/a/x", BEFORE, on), "/c/x");
  assert.equal(relinkedDirectory("/b", BEFORE, on), "/c");
  const back = moved(["/a", "/b", T1], ["/b", "/a", T2]);
  assert.equal(relinkedDirectory("/a", BEFORE, back), "/a");
  const other_order = moved(["/b", "/c", T1], ["/a", "/b", T2]);
  assert.equal(relinkedDirectory("/a", BEFORE, other_order), "/b");
  assert.equal(relinkedDirectory("/a", BEFORE, moved(["/a", "/a/a", T1])), "/a/a");
});

Deno.test("relinks of one directory's spellings move a session once, also to what is below it", () => {
  const relinks = moved(["/link", "/real/sub", T1], ["/real", "/real/sub", T1]);
  const at = (cwd: string): string => relinkedDirectory(cwd, BEFORE, relinks);
  assert.deepEqual(["/link/x", "/real/x"].map(at), ["/real/sub/x", "/real/sub/x"]);
  const again = [...relinks, ...moved(["/real/sub", "/c", T2])];
  assert.equal(relinkedDirectory("/link/x", BEFORE, again), "/c/x");
});

Deno.test("sessions begun in the old directory after a relink stay there", () => {
  const relinks = moved(["/a", "/b", T2]);
  assert.equal(relinkedDirectory("/a", T1, relinks), "/b");
  assert.equal(relinkedDirectory("/a", T2, relinks), "/b");
  assert.equal(relinkedDirectory("/a", T3, relinks), "/a");
  assert.equal(relinkedDirectory("/a", undefined, relinks), "/b");
  assert.equal(relinkedDirectory("/a", "no time", relinks), "/b");
});

Deno.test("a relink to itself takes back all of its directory, and no other's", () => {
  const relinks = moved(["/a", "/b", T1], ["/x", "/y", T1], ["/a", "/c", T2], ["/a", "/a", T3]);
  assert.deepEqual(relinks, [{ from: "/x", to: "/y", time: T1 }]);
});

Deno.test("former directories are all from which something can have come", () => {
  assert.deepEqual(formerDirectories("/b/"), ["/b"]);
  const relinks = moved(["/a", "/b", T1], ["/b", "/c", T2], ["/x", "/y", T3]);
  assert.deepEqual(formerDirectories("/c/sub", relinks), ["/c/sub", "/b/sub", "/a/sub"]);
  assert.deepEqual(formerDirectories("/a", relinks), ["/a"]);
  for (const cwd of ["/a/s", "/b/s", "/c/s", "/x", "/q"]) {
    const now = relinkedDirectory(cwd, BEFORE, relinks);
    assert.ok(formerDirectories(now, relinks).includes(cwd), cwd);
  }
});

Deno.test("a mark is a relink where it names a directory", () => {
  const mark = { ref: relinkRef("/a/"), relinked: "/b/", time: T1 };
  assert.deepEqual(toRelink(mark), { from: "/a", to: "/b", time: T1 });
  assert.equal(toRelink({ ref: "s1", relinked: "/b", time: T1 }), undefined);
  assert.equal(toRelink({ ref: "cwd:/a", time: T1 }), undefined);
});

Deno.test("a path is within a directory that it is, or is below", () => {
  assert.deepEqual(["/a", "/a/b", "/ab", "/"].map((path) => isWithin(path, "/a/")), [
    true,
    true,
    false,
    false,
  ]);
  assert.equal(isWithin("C:\\a\\b", "c:\\a"), true);
});
