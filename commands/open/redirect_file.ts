/**
 * A file that leads a browser to an address. The arguments of a program can be read by every user of
 * the machine, so the browser gets the name of this file instead.
 */
import { dirname, join } from "node:path";
import { redirectPage } from "../../lib/pages/redirect_page.ts";
import { makeTempDirSync, removeSync, writeTextFileSync } from "../../lib/platform/files.ts";

/** The file; only the user can read it. */
export class RedirectFile {
  readonly path: string;

  /** Makes the file. @throws What the system says, as of a full disk. */
  constructor(address: string) {
    this.path = join(makeTempDirSync({ prefix: "reprise-open-" }), "reprise.html");
    const { markup } = redirectPage(address);
    writeTextFileSync(this.path, markup, { mode: 0o600, createNew: true });
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
