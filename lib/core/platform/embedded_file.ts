/** Reads files that the executable holds beside its modules. */
import { fileURLToPath } from "node:url";
import { readFile } from "./files.ts";

/** Returns the text of the file `name` beside a module, or undefined if it cannot be read. */
export async function embeddedText(name: string, module: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await readFile(fileURLToPath(new URL(name, module))));
  } catch {
    return undefined;
  }
}
