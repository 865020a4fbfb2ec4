import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import {
  mirrorDirectory,
  mirroredLogs,
  type MirroredSession,
  mirrorLog,
} from "../../../lib/core/store/remote_mirror.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const store = "0b0e0c7e-0000-4000-8000-000000000001";

Deno.test("no name of a store, a member or a session leads out of the mirror", () => {
  const names = [
    "..",
    ".",
    "../../etc",
    "/etc/passwd",
    "a\\..\\b",
    "C:\\x",
    "",
    "a\0b",
    "\ud800",
    "x".repeat(5000),
  ];
  for (const name of names) {
    for (
      const branch of [
        { store: name, session: "s" },
        { store, owner: name, session: "s" },
        { store, session: name },
      ]
    ) {
      const inside = relative("/root/remote", mirrorDirectory("/root", branch));
      assert.match(inside, /^[^/\\:\0]{1,200}(\/[^/\\:\0]{1,200}){1,2}$/);
      assert.ok(!inside.split("/").some((part) => part === ".." || part === "."));
    }
  }
});

Deno.test("different sessions lie in different folders", () => {
  const branches: MirroredSession[] = [
    { store, session: "a" },
    { store, session: "a@2" },
    { store, owner: "a", session: "a" },
    { store, session: "a/a" },
    { store, session: "a%2Fa" },
  ];
  const folders = new Set(branches.map((branch) => mirrorDirectory("/root", branch)));
  assert.equal(folders.size, branches.length);
});

inDirectory.test("mirrored sessions are found with their names", (root) => {
  const branches: MirroredSession[] = [
    { store, session: "3f6a2b91-0000-4000-8000-000000000001" },
    { store, owner: "ada", session: "claude:8d1f" },
    { store, owner: "..", session: "../.." },
  ];
  for (const branch of branches) {
    const path = mirrorLog(root, branch);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, "");
  }
  Deno.mkdirSync(join(root, "remote", store, "no-branch"));
  const found = [...mirroredLogs(root)].map(({ path: _path, ...branch }) => branch);
  const key = (branch: MirroredSession): string => JSON.stringify(Object.entries(branch).sort());
  assert.deepEqual(found.map(key).sort(), branches.map(key).sort());
  assert.equal([...mirroredLogs(root, "another")].length, 0);
});
