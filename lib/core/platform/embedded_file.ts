/** Reads files that the executable holds beside its modules. */
import { fileURLToPath } from "node:url";
import { readFile } from "./files.ts";

/** Returns the text of a file beside a module; undefined outside of the executable. */
export async function embeddedText(name: string, module: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await readFile(fileURLToPath(new URL(name, module))));
  } catch {
    return undefined;
  }
}
