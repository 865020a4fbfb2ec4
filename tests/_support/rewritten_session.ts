/** A session whose generations are kept and packed. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { keepSession } from "../../lib/features/backup/keep_session.ts";
import { unpackCopy } from "../../lib/features/backup/unpack_copy.ts";
import { readKeptManifest } from "../../lib/library/machine/kept/manifest.ts";
import { mulberry32 } from "./mulberry32.ts";

/** A session that its agent writes anew, and whose generations are kept. */
export class RewrittenSession implements Disposable {
  readonly #temp = Deno.makeTempDirSync({ prefix: "reprise-test-" });
  readonly path = join(this.#temp, "agent/projects/work/s1.jsonl");
  readonly root = join(this.#temp, "store");
  readonly folder = join(this.root, "backups/claude/s1-0");
  readonly written: Uint8Array[] = [];

  async write(text: Uint8Array | string): Promise<void> {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    Deno.mkdirSync(dirname(this.path), { recursive: true });
    Deno.writeFileSync(this.path, bytes);
    // A source that shrank a moment ago is left alone.
    const time = new Date(Date.now() - 60_000 + this.written.length * 1000);
    Deno.utimeSync(this.path, time, time);
    this.written.push(bytes);
    await this.keep();
  }

  async keep(mend = true): Promise<void> {
    const session = { agent: "claude", id: "s1", path: this.path } as const;
    const plan = { session, folder: this.folder, files: [this.path], now: new Date() };
    await keepSession({ ...plan, thorough: true, mend });
  }

  /** Bytes of all files below its folder. */
  get disk_bytes(): number {
    return this.files().reduce((sum, name) => sum + Deno.statSync(join(this.folder, name)).size, 0);
  }

  files(below = ""): string[] {
    return [...Deno.readDirSync(join(this.folder, below))].flatMap(({ name, isDirectory }) =>
      isDirectory ? this.files(join(below, name)) : [join(below, name)]
    ).sort();
  }

  /** The hashes of what its generations give back. */
  async restored(): Promise<string[]> {
    const manifest = readKeptManifest(this.folder);
    assert.ok(manifest !== undefined);
    const hashes: string[] = [];
    for (const { number, files } of manifest.generations) {
      const { copy = "" } = files[0] ?? {};
      const made = join(this.#temp, `made-${number}`);
      if (manifest.packed?.some((one) => one.copy === copy)) {
        await unpackCopy(this.folder, manifest, copy, made);
      } else Deno.copyFileSync(join(this.folder, copy), made);
      hashes.push(sha256(Deno.readFileSync(made)));
      Deno.removeSync(made);
    }
    return hashes;
  }

  get hashes(): string[] {
    return this.written.map(sha256);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#temp, { recursive: true });
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Lines that no compression makes much shorter. */
export function lines(count: number, seed: number): string {
  const random = mulberry32(seed);
  return Array.from({ length: count }, () => {
    const bytes = Uint8Array.from({ length: 300 }, () => random() * 256);
    return `{"type":"user","message":"${bytes.toHex()}"}\n`;
  }).join("");
}
