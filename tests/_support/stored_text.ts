/** The text of all files below a folder, with their paths. */
import { join } from "node:path";

export function storedText(folder: string): string {
  return [...Deno.readDirSync(folder)].map(({ name, isDirectory }) => {
    const path = join(folder, name);
    return isDirectory ? storedText(path) : `${path}\n${Deno.readTextFileSync(path)}`;
  }).join("\n");
}
