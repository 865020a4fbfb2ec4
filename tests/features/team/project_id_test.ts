import assert from "node:assert/strict";
import { join } from "node:path";
import {
  checkedProjectName,
  normalizedRemote,
  projectId,
} from "../../../lib/features/team/project_id.ts";
import { testData } from "../../_support/test_data.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

const REMOTES = testData<Record<"one_project" | "none" | "configurations", string[]>>(
  "team/remotes.json",
);
const NAME = "example.com/acme/site";

Deno.test("every form of a remote's address is one project", () => {
  for (const address of REMOTES.one_project) assert.equal(normalizedRemote(address), NAME, address);
  assert.equal(normalizedRemote("git@[::1]:acme/site.git"), "[::1]/acme/site");
  assert.equal(normalizedRemote("ssh://git@[::1]:22/acme/site.git"), "[::1]/acme/site");
  assert.equal(normalizedRemote("git@example.com:Acme/Site.git"), "example.com/Acme/Site");
});

Deno.test("a path on this machine is no name that another machine would find", () => {
  for (const address of REMOTES.none) {
    assert.equal(normalizedRemote(address), undefined, address);
  }
});

function repository(directory: string, config: string): void {
  Deno.mkdirSync(join(directory, ".git"), { recursive: true });
  Deno.writeTextFileSync(join(directory, ".git", "config"), config);
}

const ORIGIN = `[core]\n\tbare = false\n[remote "origin"]\n\turl = git@${
  NAME.replace("/", ":")
}.git\n`;

inDirectory.test("a project is named by origin, from anywhere below and in each work tree", (directory) => {
  const main = join(directory, "main");
  repository(main, `[remote "fork"]\n\turl = https://example.com/me/site.git\n${ORIGIN}`);
  Deno.mkdirSync(join(main, "src"));
  const own = join(main, ".git", "worktrees", "side");
  Deno.mkdirSync(own, { recursive: true });
  Deno.writeTextFileSync(join(own, "commondir"), "../..\n");
  const side = join(directory, "side");
  Deno.mkdirSync(side);
  Deno.writeTextFileSync(join(side, ".git"), `gitdir: ${own}\n`);
  for (const at of [main, join(main, "src"), side]) assert.equal(projectId(at), NAME);
});

inDirectory.test("without origin the only remote names it, and of several none does", (directory) => {
  repository(directory, ORIGIN.replace("origin", "upstream"));
  assert.equal(projectId(directory), NAME);
  repository(
    directory,
    `[remote "a"]\nurl = https://example.com/a/x\n[remote "b"]\nurl = https://example.com/b/x\n`,
  );
  assert.equal(projectId(directory), undefined);
  repository(directory, "[core]\n");
  assert.equal(projectId(directory), undefined);
  Deno.removeSync(join(directory, ".git"), { recursive: true });
  assert.equal(projectId(directory), undefined);
});

inDirectory.test("a git configuration is read by git's own rules", (directory) => {
  for (const form of REMOTES.configurations) {
    repository(directory, form);
    assert.equal(projectId(directory), NAME, form);
  }
  repository(directory, "\0\xff[remote");
  assert.equal(projectId(directory), undefined);
});

Deno.test("a project's name is one printable line", () => {
  for (const name of ["site", "Köln 2", NAME, "a".repeat(200)]) {
    assert.equal(checkedProjectName(name), name);
  }
  for (const name of ["", " ", " a", "a ", "-a", "a\nb", "a\x1b[2J", "a\0", "a".repeat(201)]) {
    assert.throws(() => checkedProjectName(name), {
      code: "invalid-config",
      message: /^Cannot use this project name: use at most 200 printable characters/,
    });
  }
});
