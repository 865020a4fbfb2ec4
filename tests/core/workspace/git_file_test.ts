import assert from "node:assert/strict";
import { join } from "node:path";
import { gitBranch } from "../../../lib/core/workspace/git_file.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const COMMIT = "2b55ad1d6d6f4f8f9d6e7c8b9a0f1e2d3c4b5a69";

/** Puts a repository into a folder, with a `HEAD` of that text. */
function repository(directory: string, head: string): void {
  Deno.mkdirSync(join(directory, ".git"), { recursive: true });
  Deno.writeTextFileSync(join(directory, ".git", "HEAD"), head);
}

inDirectory.test("the branch is the one that HEAD names, from anywhere below", (directory) => {
  repository(directory, "ref: refs/heads/feature/a-b\n");
  Deno.mkdirSync(join(directory, "src", "deep"), { recursive: true });
  for (const at of [directory, join(directory, "src", "deep"), join(directory, "not there")]) {
    assert.equal(gitBranch(at), "feature/a-b");
  }
});

inDirectory.test("a detached HEAD is the first digits of its commit", (directory) => {
  repository(directory, `${COMMIT}\n`);
  assert.equal(gitBranch(directory), COMMIT.slice(0, 12));
});

inDirectory.test("a HEAD that names something else is that name", (directory) => {
  repository(directory, "ref: refs/remotes/origin/main\n");
  assert.equal(gitBranch(directory), "refs/remotes/origin/main");
});

inDirectory.test("a HEAD that git would not write, or that leads to tables, names no branch", (directory) => {
  const odd = [
    "ref: refs/heads/.invalid\n",
    "ref: refs/heads/a\nb\n",
    "ref: \x1b[2J\n",
    "ref:\n",
  ];
  for (const head of [...odd, "some text of another file\n", `${"0".repeat(39)}\n`]) {
    repository(directory, head);
    assert.equal(gitBranch(directory), undefined, JSON.stringify(head));
  }
});

inDirectory.test("a work tree's .git file leads to its own HEAD, by an absolute or a relative path", (directory) => {
  const main = join(directory, "main");
  repository(main, "ref: refs/heads/main\n");
  const own = join(main, ".git", "worktrees", "side");
  Deno.mkdirSync(own, { recursive: true });
  Deno.writeTextFileSync(join(own, "HEAD"), "ref: refs/heads/side\n");
  const side = join(directory, "side");
  Deno.mkdirSync(join(side, "src"), { recursive: true });
  for (const path of [own, "../main/.git/worktrees/side"]) {
    Deno.writeTextFileSync(join(side, ".git"), `gitdir: ${path}\n`);
    assert.equal(gitBranch(join(side, "src")), "side");
  }
  Deno.writeTextFileSync(join(side, ".git"), "gitdir: ../gone\n");
  assert.equal(gitBranch(side), undefined);
});

inDirectory.test("without a repository, or with an empty one, there is no branch", (directory) => {
  Deno.mkdirSync(join(directory, ".git"));
  Deno.writeTextFileSync(join(directory, ".git", "HEAD"), "\n");
  assert.equal(gitBranch(directory), undefined);
  Deno.removeSync(join(directory, ".git"), { recursive: true });
  assert.notEqual(gitBranch(directory), "");
});
