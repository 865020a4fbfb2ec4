/** A file that is gone after the test. */
import { join } from "node:path";

/** A file in a folder of its own. */
export interface TempFile extends Disposable {
  path: string;
  folder: string;
}

/** Writes a file for one test. */
export function tempFile(name: string, content: string | Uint8Array): TempFile {
  const folder = Deno.makeTempDirSync({ prefix: "reprise-test-" });
  const path = join(folder, name);
  if (typeof content === "string") Deno.writeTextFileSync(path, content);
  else Deno.writeFileSync(path, content);
  return { path, folder, [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }) };
}
