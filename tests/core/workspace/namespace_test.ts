import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import {
  canonicalPath,
  isNamespaceOf,
  namespaceOf,
  pathDigest,
} from "../../../lib/core/workspace/namespace.ts";
import { codePoint } from "../../_support/code_point.ts";

/** The worked examples of the format. */
const EXAMPLES: [string, string][] = [
  ["/home/user/projects/my-app", "home-user-projects-my-app-176f7dbae4"],
  ["/", "root-42099b4af0"],
  ["/home/ada/文档/账本", "home-ada-b71a3196be"],
  ["/home/ada/.config/new app", "home-ada-.config-new-app-457c83ff74"],
  ["C:\\Users\\Ada\\src\\my app", "C-Users-Ada-src-my-app-81ab794157"],
  ["C:\\", "C-950a8a45c1"],
];

Deno.test("namespaces are those of the format's examples", () => {
  for (const [path, namespace] of EXAMPLES) assert.equal(namespaceOf(path), namespace);
});

Deno.test("a path is hashed without trailing separator, its drive letter in upper case", () => {
  const cases: [string, string][] = [
    ["/", "/"],
    ["/a/", "/a"],
    ["/a//", "/a"],
    ["/a/b", "/a/b"],
    ["c:\\", "C:\\"],
    ["c:\\x\\", "C:\\x"],
    ["c:/x/", "C:/x"],
    ["\\\\server\\share\\", "\\\\server\\share"],
    ["/a b/ ", "/a b/ "],
  ];
  for (const [given, canonical] of cases) {
    assert.equal(canonicalPath(given), canonical, given);
    assert.equal(namespaceOf(given), namespaceOf(canonical));
  }
});

Deno.test("a slug is readable, safe for files, and at most 80 characters", () => {
  const slug = (path: string): string => namespaceOf(path).slice(0, -11);
  assert.equal(slug("/a  b/c"), "a-b-c");
  assert.equal(slug("/../-x-./"), "x");
  assert.equal(slug("/日本"), "root");
  assert.equal(slug("/" + "a".repeat(200)), "a".repeat(80));
  assert.equal(slug("/" + "a".repeat(79) + "/b"), "a".repeat(79));
});

Deno.test("a directory's namespace is known by its digest alone", () => {
  for (const [path, namespace] of EXAMPLES) {
    assert.ok(isNamespaceOf(namespace, path));
    assert.ok(isNamespaceOf(`another-rule-${pathDigest(path)}`, path));
    assert.ok(!isNamespaceOf(namespace.slice(0, -1) + "x", path));
    assert.ok(!isNamespaceOf(pathDigest(path), path), "a slug belongs before it");
  }
});

Deno.test("paths that differ in one character have namespaces of their own", () => {
  const seen = new Map<string, string>();
  const paths = ["-", "_", ".", " ", "/", "文", "a", "A", "é", "e\u0301", "\u00e9x"].flatMap((
    one,
  ) => ["-", "_", ".", " ", "/", "档", "b", "B"].map((other) => `/home/ada/${one}x${other}y`));
  for (const path of paths) {
    const digest = namespaceOf(path).slice(-10);
    assert.equal(seen.get(digest) ?? path, path);
    seen.set(digest, path);
  }
  assert.equal(seen.size, paths.length);
});

Deno.test("any path gives a name that every file system takes", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 300 }), (path) => {
      const namespace = namespaceOf(path);
      assert.match(
        namespace,
        /^[A-Za-z0-9_][A-Za-z0-9._-]{0,79}-[0-9a-f]{10}$|^root-[0-9a-f]{10}$/,
      );
      assert.ok(isNamespaceOf(namespace, path));
    }),
    { seed: 20261121, numRuns: 500 },
  );
});
