/**
 * A page in a file for the browser. Every user of the machine can read a program's arguments. So the
 * browser gets the name of this file, and no address with a secret.
 */
import { dirname, join } from "node:path";
import { makeTempDirSync, removeSync, writeTextFileSync } from "../../lib/platform/files.ts";

/** The file; only the user can read it. */
export class RedirectFile {
  readonly path: string;

  /** Makes the file. @throws What the system says, as of a full disk. */
  constructor(html: string) {
    this.path = join(makeTempDirSync({ prefix: "reprise-open-" }), "reprise.html");
    writeTextFileSync(this.path, html, { mode: 0o600, createNew: true });
  }

  /** Removes the file and its folder. */
  remove(): void {
    try {
      removeSync(dirname(this.path), { recursive: true });
    } catch {
      // It is gone, or cannot be removed: its address is worth nothing when the command has ended.
    }
  }
}
