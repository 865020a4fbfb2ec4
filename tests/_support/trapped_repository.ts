/** A repository whose own files name programs that git runs, each of which leaves a mark. */
import type { Requirement } from "./needing.ts";
import assert from "node:assert/strict";
import { join } from "node:path";

/** Git without anybody's settings. */
export const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
};

/** Runs git, which must succeed; returns what it prints. */
export function git(cwd: string, ...args: string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", { args, cwd, env: GIT_ENVIRONMENT })
    .outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trimEnd();
}

/** Asks git how the repository stands, as a program without care would. */
export function springTraps(directory: string): void {
  const options = { args: ["status", "--short"], cwd: directory, env: GIT_ENVIRONMENT };
  new Deno.Command("git", options).outputSync();
}

/** Whether there is a git to set the traps with, and to spring them. */
export const HAS_GIT = hasGit();

function hasGit(): boolean {
  try {
    return Deno.build.os !== "windows" &&
      new Deno.Command("git", { args: ["--version"] }).outputSync().success;
  } catch {
    // Not installed.
    return false;
  }
}

const HOOKS = [
  ...["applypatch-msg", "fsmonitor-watchman", "post-checkout", "post-index-change"],
  ...["pre-commit", "pre-push", "reference-transaction"],
];

/** The settings that name a program, by the name of its mark. */
function trappedSettings(trap: (name: string) => string): string {
  return `[core]
	repositoryformatversion = 1
	fsmonitor = ${trap("core.fsmonitor")}
	hooksPath = .git/trapped-hooks
	sshCommand = ${trap("core.sshCommand")}
	pager = ${trap("core.pager")}
	editor = ${trap("core.editor")}
[extensions]
	worktreeConfig = true
[credential]
	helper = ${trap("credential.helper")}
[gpg]
	program = ${trap("gpg.program")}
[alias]
	status = !${trap("alias")}
[diff]
	external = ${trap("diff.external")}
[diff "trap"]
	textconv = ${trap("textconv")}
	command = ${trap("diff.command")}
[filter "clean"]
	clean = ${trap("filter.clean")}; cat
	smudge = ${trap("filter.smudge")}; cat
[filter "process"]
	process = ${trap("filter.process")}
[include]
	path = included
`;
}

/**
 * Makes a repository on the branch `trapped`, in which a mere `git status` runs programs.
 *
 * @param marks The folder that gets a file for each program that runs.
 */
export function makeTrappedRepository(directory: string, marks: string): void {
  const trap = (name: string): string => `touch '${join(marks, name)}'`;
  Deno.mkdirSync(directory, { recursive: true });
  Deno.mkdirSync(marks, { recursive: true });
  git(directory, "init", "--quiet", "--initial-branch=trapped");
  const kinds = ["clean", "process", "included", "apart"];
  Deno.writeTextFileSync(
    join(directory, ".gitattributes"),
    kinds.map((kind) => `*.${kind} filter=${kind} diff=trap\n`).join(""),
  );
  for (const kind of kinds) Deno.writeTextFileSync(join(directory, `a.${kind}`), "one\n");
  git(directory, "add", ".");
  git(directory, "commit", "--quiet", "--message=one");
  // As long as before: git has to look into them, through the filters.
  for (const kind of kinds) {
    const path = join(directory, `a.${kind}`);
    Deno.writeTextFileSync(path, "two\n");
    Deno.utimeSync(path, 1_700_000_000, 1_700_000_000);
  }
  const dot_git = (name: string): string => join(directory, ".git", name);
  Deno.writeTextFileSync(dot_git("config"), trappedSettings(trap));
  const filter = (name: string): string =>
    `[filter "${name}"]\n\tclean = ${trap(`filter.${name}`)}; cat\n`;
  Deno.writeTextFileSync(dot_git("included"), filter("included"));
  Deno.writeTextFileSync(dot_git("config.worktree"), filter("apart"));
  Deno.mkdirSync(dot_git("trapped-hooks"));
  for (const name of HOOKS) {
    const script = `#!/bin/sh\n${trap(`hook.${name}`)}\n`;
    Deno.writeTextFileSync(dot_git(`trapped-hooks/${name}`), script, { mode: 0o700 });
  }
}

/** Names of the programs that ran, and forgets them. */
export function takeMarks(marks: string): string[] {
  const names = [...Deno.readDirSync(marks)].map(({ name }) => name).sort();
  for (const name of names) Deno.removeSync(join(marks, name));
  return names;
}

/** Repositories that a test makes. */
export const GIT: Requirement = { what: "git", get: "apt install git", met: HAS_GIT };
