/** Git's own files of repositories and work trees, without git. */
import { dirname, join } from "node:path";

/** Writes a file and the folders that it lies in. */
export function writeWithFolders(path: string, text: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

/** Makes a main work tree. */
export function makeMainTree(top: string): void {
  writeWithFolders(join(top, ".git", "HEAD"), "ref: refs/heads/main\n");
}

/** Links a work tree to a repository's folder as `git worktree add` does. */
export function addWorkTree(common: string, name: string, tree: string): void {
  const own = join(common, "worktrees", name);
  writeWithFolders(join(own, "commondir"), "../..\n");
  writeWithFolders(join(own, "gitdir"), `${join(tree, ".git")}\n`);
  writeWithFolders(join(tree, ".git"), `gitdir: ${own}\n`);
}
