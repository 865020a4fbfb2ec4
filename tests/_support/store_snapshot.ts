/** All that can be seen of a folder but the times of access: names, kinds, modes, sizes, contents. */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** One line a file or folder, in order. */
export function snapshot(root: string): string[] {
  return [...entries(root, "")].sort();
}

function* entries(root: string, below: string): Generator<string> {
  const path = join(root, below);
  const { isDirectory, isFile, isSymlink, size, mtime, mode, ino } = Deno.lstatSync(path);
  const facts = [below || ".", size, mtime?.getTime(), mode?.toString(8), ino];
  if (isSymlink) yield [...facts, Deno.readLinkSync(path)].join(" ");
  else if (isFile) yield [...facts, digest(path)].join(" ");
  else {
    yield facts.join(" ");
    // To read a pipe would wait for whoever writes it.
    if (!isDirectory) return;
    for (const { name } of Deno.readDirSync(path)) yield* entries(root, join(below, name));
  }
}

function digest(path: string): string {
  return createHash("sha256").update(Deno.readFileSync(path)).digest("hex");
}
