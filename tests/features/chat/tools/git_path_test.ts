/** What is git's own is not written without a question. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { defaultTools } from "../../../../lib/features/chat/tools/default_tools.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

const TOOLS = new Map(defaultTools().map((tool) => [tool.definition.name, tool]));
const OWN = /one of git's own files/;

function question(name: string, path: string, cwd: string): string {
  return TOOLS.get(name)?.asks?.({ path }, cwd)?.reason ?? "";
}

function make(cwd: string, ...paths: string[]): void {
  for (const path of paths) {
    Deno.mkdirSync(dirname(join(cwd, path)), { recursive: true });
    if (path.endsWith("/")) Deno.mkdirSync(join(cwd, path), { recursive: true });
    else Deno.writeTextFileSync(join(cwd, path), "x\n");
  }
}

function assertOwn(cwd: string, paths: readonly string[]): void {
  for (const path of paths) {
    for (const name of ["write", "edit"]) {
      assert.match(question(name, path, cwd), OWN, `${name} ${JSON.stringify(path)}`);
    }
    assert.doesNotMatch(question("read", path, cwd), OWN, `read ${JSON.stringify(path)}`);
  }
}

function assertOrdinary(cwd: string, paths: readonly string[]): void {
  for (const path of paths) assert.equal(question("write", path, cwd), "", JSON.stringify(path));
}

inDirectory.test("a write to .git or below it is asked for, however the name is written", (cwd) => {
  make(cwd, ".git/HEAD", ".git/config", "vendor/lib/.git");
  assertOwn(cwd, [
    ...[".git", ".git/config", ".git/hooks/pre-commit", "./src/../.git/config"],
    ...[join(cwd, ".git/config"), "vendor/lib/.git", "new/.git/config"],
    ...[".git/modules/lib/config", ".git/worktrees/side/config.worktree"],
    ...[".GIT/config", ".Git", ".git./config", ".git /config", ".git::$INDEX_ALLOCATION/config"],
    ...["git~1/config", "GIT~2/config", ".g\u200cit/config", "\ufeff.git/config", ".git\\config"],
  ]);
  assertOrdinary(cwd, [
    ...[".gitattributes", ".gitmodules", ".gitignore", ".github/a.yml", ".git2/config"],
    ...["git/config", "a.git", "config", "HEAD", "objects/a", "refs/a"],
  ]);
});

inDirectory.test("a link to git's folder leads there, and so does a chat that began in it", (cwd) => {
  make(cwd, ".git/HEAD", ".git/config", ".git/hooks/");
  Deno.symlinkSync(".git", join(cwd, "folder"));
  Deno.symlinkSync(".git/config", join(cwd, "notes.md"));
  Deno.symlinkSync("folder/hooks", join(cwd, "scripts"));
  assertOwn(cwd, ["folder/config", "notes.md", "scripts/pre-commit", "folder/new/deep"]);
  assertOwn(join(cwd, ".git"), ["config", "hooks/pre-commit"]);
});

inDirectory.test("the folder of a repository is git's whatever its name, and so is what completes one", (cwd) => {
  make(cwd, "bare.git/HEAD", "bare.git/objects/", "bare.git/refs/");
  assertOwn(cwd, ["bare.git/config", "bare.git/hooks/post-update", "bare.git/HEAD"]);
  assertOwn(join(cwd, "bare.git"), ["config", "new"]);
  // A work tree's own folder has no objects: it says where they are.
  make(cwd, "linked/HEAD", "linked/commondir");
  assertOwn(cwd, ["linked/config.worktree"]);
  make(cwd, "nearly/objects/", "nearly/refs/", "half/HEAD", "half/objects/");
  assertOwn(cwd, ["nearly/HEAD", "nearly/head", "half/refs/heads/main", "half/commondir"]);
  assertOrdinary(cwd, ["nearly/config", "nearly/objects/a", "half/objects/a", "bare.txt"]);
});
