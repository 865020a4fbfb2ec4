import assert from "node:assert/strict";
import { join } from "node:path";
import { commitsIn } from "../../../lib/core/workspace/git_commits.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const [A, B, C, D] = ["a", "b", "c", "d"].map((digit) => digit.repeat(40));
const NONE = "0".repeat(40);

/** Lines of a log as git 2.39 writes them, a second apart. */
function logOf(
  changes: readonly (readonly [old: unknown, hash: unknown, action: string])[],
): string {
  return changes.map(([old, hash, action], at) =>
    `${old} ${hash} Ada <ada@example.org> ${1795900000 + at} +0100\t${action}\n`
  ).join("");
}

function repository(folder: string, log: string): void {
  Deno.mkdirSync(join(folder, "logs"), { recursive: true });
  Deno.writeTextFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  Deno.writeTextFileSync(join(folder, "logs", "HEAD"), log);
}

inDirectory.test("commits are those that were made in a work tree, an amended one once", (directory) => {
  repository(
    join(directory, ".git"),
    logOf([
      [NONE, A, "commit (initial): Begin"],
      [A, A, "checkout: moving from main to next"],
      [A, B, "commit: Add: a colon"],
      [B, C, "commit (amend): Add a comma"],
      [C, D, "rebase (pick): Add a comma"],
      [D, B, "cherry-pick: Take it"],
    ]) + "half a line",
  );
  Deno.mkdirSync(join(directory, "src"));
  assert.deepEqual(commitsIn(join(directory, "src")), [
    { hash: A, at: 1795900000000, subject: "Begin" },
    { hash: C, at: 1795900003000, subject: "Add a comma" },
    { hash: B, at: 1795900005000, subject: "Take it" },
  ]);
});

inDirectory.test("a linked work tree has commits of its own, a folder without git has none", (directory) => {
  const tree = join(directory, "tree");
  Deno.mkdirSync(tree);
  assert.deepEqual(commitsIn(tree), []);
  repository(join(directory, "linked"), logOf([[A, B, "commit: There"]]));
  Deno.writeTextFileSync(join(tree, ".git"), "gitdir: ../linked\n");
  assert.deepEqual(commitsIn(tree).map(({ subject }) => subject), ["There"]);
});
