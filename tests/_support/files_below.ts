/** All files below a folder, and their text. */
import { join } from "node:path";

/** Returns the paths of the files below a folder, in order. */
export function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(join(folder, name)) : [join(folder, name)]
  ).sort();
}

/** Returns the text of the files below a folder, each behind its path. */
export function textBelow(folder: string): string {
  return filesBelow(folder).map((path) => `${path}\n${Deno.readTextFileSync(path)}`).join("\n");
}
