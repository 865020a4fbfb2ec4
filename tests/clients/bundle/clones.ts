/** Clones of a repository, and a work tree in which something is not committed yet. */
import { join } from "node:path";
import { git } from "../../_support/trapped_repository.ts";

/** Makes a repository with a commit. */
export function committed(repository: string): string {
  Deno.mkdirSync(repository);
  git(repository, "init", "-q", "-b", "main");
  Deno.writeTextFileSync(join(repository, "notes.txt"), "first note\nsecond note\n");
  git(repository, "add", "--all");
  git(repository, "commit", "-q", "-m", "Begin");
  return repository;
}

/** Adds a work tree of a new branch to a repository; returns the work tree. */
export function workTreeOfBranch(repository: string): string {
  const tree = `${repository}-topic`;
  git(repository, "worktree", "add", "-q", "-b", "topic", tree);
  return tree;
}

/** Changes a file of a work tree, and adds another. */
export function change(tree: string): void {
  Deno.writeTextFileSync(join(tree, "notes.txt"), "first note\nanother note\n");
  Deno.writeTextFileSync(join(tree, "ideas.txt"), "an idea\n");
}

/** Clones a repository. */
export function cloned(repository: string, path: string): string {
  Deno.mkdirSync(join(path, ".."), { recursive: true });
  git(repository, "clone", "-q", repository, path);
  return path;
}

/** Returns the only work tree beside a clone. */
export function newWorkTree(clone: string): string {
  const beside = [...Deno.readDirSync(join(clone, ".."))].map(({ name }) =>
    join(clone, "..", name)
  );
  return beside.find((path) => path !== clone) ?? clone;
}
