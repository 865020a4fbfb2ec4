/** Reads files that the executable holds beside its modules. */
import { fileURLToPath } from "node:url";
import { readFile } from "./files.ts";

/** Reads the file `name` from the folder of a module. `module` is the module's URL. */
export async function embeddedText(name: string, module: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await readFile(fileURLToPath(new URL(name, module))));
  } catch {
    return undefined;
  }
}
