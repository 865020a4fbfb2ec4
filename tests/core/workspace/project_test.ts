import assert from "node:assert/strict";
import { join } from "node:path";
import { projectDirectories, projectOf } from "../../../lib/core/workspace/project.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { addWorkTree, makeMainTree, writeWithFolders as write } from "../../_support/work_tree.ts";
import { testsIn } from "../../_support/tests_in.ts";

const inProjects = testsIn(withProjects);

const CAN_LINK = Deno.build.os !== "windows";

/** Runs a test in a folder with a repository `main`, its work tree `side`, and a project `other`. */
async function withProjects(
  test: (places: { root: string; main: string; side: string; other: string }) => void,
): Promise<void> {
  await withDirectory((root) => {
    const places = { root, main: join(root, "main"), side: join(root, "side") };
    const other = join(root, "elsewhere", "other");
    makeMainTree(places.main);
    makeMainTree(other);
    addWorkTree(join(places.main, ".git"), "side", places.side);
    test({ ...places, other });
  });
}

inProjects.test("a project is a work tree with those that it is linked to, its own first", ({ main, side }) => {
  Deno.mkdirSync(join(side, "src"));
  assert.deepEqual(projectDirectories(main), [main, side]);
  assert.deepEqual(projectDirectories(join(side, "src")), [side, main]);
  // As git writes them with worktree.useRelativePaths.
  write(join(main, ".git", "worktrees", "side", "gitdir"), "../../../../side/.git\n");
  write(join(side, ".git"), "gitdir: ../main/.git/worktrees/side\n");
  assert.deepEqual(projectDirectories(main), [main, side]);
  assert.deepEqual(projectDirectories(side), [side, main]);
});

inDirectory.test("work trees of a bare repository are one project", (root) => {
  const [one, two] = [join(root, "one"), join(root, "two")];
  addWorkTree(join(root, "site.git"), "one", one);
  addWorkTree(join(root, "site.git"), "two", two);
  assert.deepEqual(projectDirectories(two), [two, one]);
  assert.deepEqual([projectOf(one), projectOf(two)], [one, one]);
});

inProjects.test("a work tree inside the main one belongs with it", ({ main, side }) => {
  const inside = join(main, ".claude", "worktrees", "fix");
  addWorkTree(join(main, ".git"), "fix", inside);
  assert.deepEqual(projectDirectories(inside), [inside, main, side]);
  for (const place of ["gone/src", ".claude/worktrees/gone/src", ".worktrees/x"]) {
    assert.equal(projectOf(join(main, place)), main);
  }
  assert.deepEqual([main, side, inside].map(projectOf), [main, main, main]);
  const elsewhere = ["/gone/repo", "/gone/.codex/worktrees/4f2a/repo"];
  assert.deepEqual(elsewhere.map(projectOf), elsewhere);
  assert.equal(projectOf("/gone/repo/.qwen/worktrees/fix"), "/gone/repo");
  // Tests run in a repository, to which a path of another system must not be taken to belong.
  const foreign = Deno.build.os === "windows" ? "/home/ada/client" : "C:\\Users\\ada\\client";
  for (const path of [foreign, "client", ".", ""]) assert.equal(projectOf(path), path);
});

inProjects.test("a file in .git/worktrees alone adds no directory", ({ root, main, side, other }) => {
  const gitdir = join(main, ".git", "worktrees", "forged", "gitdir");
  for (const target of [other, root, "/", join(root, "not there"), join(other, ".git", "..")]) {
    write(gitdir, `${join(target, ".git")}\n`);
    assert.deepEqual(projectDirectories(main), [main, side], target);
  }
  write(gitdir, "../../../../elsewhere/other/.git\n");
  assert.deepEqual(projectDirectories(main), [main, side]);
});

inProjects.test("a .git file that its repository does not know leads nowhere", ({ root, main, side }) => {
  const forger = join(root, "forger");
  write(join(forger, ".git"), `gitdir: ${join(main, ".git", "worktrees", "side")}\n`);
  assert.deepEqual(projectDirectories(forger), [forger]);
  write(join(forger, "own", "commondir"), `${join(main, ".git")}\n`);
  write(join(forger, "own", "gitdir"), `${join(forger, ".git")}\n`);
  write(join(forger, ".git"), "gitdir: own\n");
  assert.deepEqual(projectDirectories(forger), [forger]);
  assert.deepEqual(projectDirectories(main), [main, side]);
});

Deno.test({
  name: "symbolic links in git's files add no directory",
  ignore: !CAN_LINK,
  fn: async () => {
    await withProjects(({ root, main, side }) => {
      const forger = join(root, "forger");
      Deno.mkdirSync(forger);
      Deno.symlinkSync(join(main, ".git"), join(forger, ".git"));
      assert.deepEqual(projectDirectories(forger), [forger]);
      Deno.removeSync(join(forger, ".git"));
      makeMainTree(forger);
      Deno.symlinkSync(join(main, ".git", "worktrees"), join(forger, ".git", "worktrees"));
      assert.deepEqual(projectDirectories(forger), [forger]);
      Deno.removeSync(join(forger, ".git", "worktrees"));
      Deno.mkdirSync(join(forger, ".git", "worktrees"));
      const own = join(main, ".git", "worktrees", "side");
      Deno.symlinkSync(own, join(forger, ".git", "worktrees", "side"));
      assert.deepEqual(projectDirectories(forger), [forger]);
      // The work tree's own .git may be no link either.
      Deno.renameSync(join(side, ".git"), join(root, "dot-git"));
      Deno.symlinkSync(join(root, "dot-git"), join(side, ".git"));
      assert.deepEqual(projectDirectories(main), [main]);
    });
  },
});

inProjects.test("a work tree around the project is no part of it, though the links are mutual", ({ root, main, side }) => {
  addWorkTree(join(main, ".git"), "around", root);
  assert.deepEqual(projectDirectories(main), [main, side]);
});

Deno.test({
  name: "a folder that everybody may write is no work tree",
  ignore: !CAN_LINK,
  fn: async () => {
    await withProjects(({ root, main, side }) => {
      const open = join(root, "open");
      addWorkTree(join(main, ".git"), "open", open);
      assert.deepEqual(projectDirectories(main), [main, open, side]);
      Deno.chmodSync(open, 0o1777);
      assert.deepEqual(projectDirectories(main), [main, side]);
    });
  },
});

inDirectory.test("a repository around the home directory makes no project of what is below", (root) => {
  const before = Deno.env.get("HOME");
  const home = join(root, "home");
  const notes = join(home, "notes");
  Deno.mkdirSync(notes, { recursive: true });
  Deno.env.set("HOME", home);
  try {
    for (const top of [home, root]) {
      makeMainTree(top);
      assert.deepEqual(projectDirectories(notes), [notes]);
      assert.deepEqual(projectDirectories(home), [home]);
      // Its work trees do not bring it in, either.
      addWorkTree(join(top, ".git"), "notes", notes);
      assert.deepEqual(projectDirectories(notes), [notes]);
      Deno.removeSync(join(notes, ".git"));
      Deno.removeSync(join(top, ".git"), { recursive: true });
    }
  } finally {
    if (before === undefined) Deno.env.delete("HOME");
    else Deno.env.set("HOME", before);
  }
});

Deno.test("a project on Windows is one, however programs write its drive and slashes", () => {
  const written = [
    "C:\\dev\\app",
    "c:\\dev\\app",
    "c:/dev/app",
    "C:/dev/app/.claude/worktrees/fix",
  ];
  assert.deepEqual(new Set(written.map(projectOf)), new Set(["C:\\dev\\app"]));
});
