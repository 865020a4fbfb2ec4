import assert from "node:assert/strict";
import { delimiter, dirname, join } from "node:path";
import { findProgram } from "../../../lib/core/platform/find_program.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const ignore = Deno.build.os === "windows";

/** Puts files into folders of a folder, executable or not. */
function put(root: string, modes: Record<string, number>): void {
  for (const [name, mode] of Object.entries(modes)) {
    Deno.mkdirSync(dirname(join(root, name)), { recursive: true });
    Deno.writeTextFileSync(join(root, name), "", { mode });
  }
}

Deno.test("a program is the first executable file on the absolute entries of PATH", {
  ignore,
}, async () => {
  await withDirectory((root) => {
    put(root, { "first/agent": 0o644, "second/agent": 0o755, "third/agent": 0o755 });
    Deno.mkdirSync(join(root, "folder", "agent"), { recursive: true });
    const folders = ["missing", "first", "folder", "second", "third"];
    const path = folders.map((name) => join(root, name)).join(delimiter);
    const avoided = join(root, "project");
    assert.equal(findProgram("agent", { path, avoided }), join(root, "second/agent"));
    assert.equal(findProgram("other", { path, avoided }), undefined);
    assert.equal(findProgram("agent", { path: undefined, avoided }), undefined);
  });
});

Deno.test("a relative or empty entry of PATH is no place of programs", { ignore }, async () => {
  await withDirectory((root) => {
    put(root, { "real/agent": 0o755 });
    const before = Deno.cwd();
    Deno.chdir(join(root, "real"));
    try {
      for (const path of ["", ":", ".", "./", "../real", "real"]) {
        assert.equal(findProgram("agent", { path, avoided: join(root, "x") }), undefined, path);
      }
    } finally {
      Deno.chdir(before);
    }
  });
});

Deno.test("no program comes from the avoided folder, under whatever name", { ignore }, async () => {
  await withDirectory((root) => {
    put(root, { "real/agent": 0o755, "real/bin/agent": 0o755, "realm/agent": 0o755 });
    Deno.symlinkSync(join(root, "real"), join(root, "link"));
    const avoided = join(root, "real");
    for (const name of ["real", "link", "real/bin", "link/bin", "real/../real/bin/"]) {
      const path = join(root, name);
      assert.equal(findProgram("agent", { path, avoided }), undefined, name);
      assert.equal(findProgram("agent", { path, avoided: join(root, "link") }), undefined, name);
    }
    const path = join(root, "realm");
    assert.equal(findProgram("agent", { path, avoided }), join(path, "agent"));
    assert.equal(
      findProgram("agent", { path: join(root, "link"), avoided: join(root, "x") }),
      join(root, "link/agent"),
    );
    // A home's own programs are the user's, though the session's directory is the home.
    const bin = join(avoided, "bin");
    assert.equal(findProgram("agent", { path: bin, avoided, home: avoided }), join(bin, "agent"));
    assert.equal(findProgram("agent", { path: avoided, avoided, home: avoided }), undefined);
  });
});
