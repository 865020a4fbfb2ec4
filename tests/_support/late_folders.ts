/**
 * Two folders that a program keeps the same, as badly as one may: files arrive late, in any order,
 * twice, half of them first, and beside conflict copies.
 */
import { dirname, join, relative } from "node:path";
import { filesBelow } from "./files_below.ts";

/** A version of a file; undefined where it was deleted. */
type Version = Uint8Array | undefined;

export class LateFolders {
  readonly #folders: readonly string[];
  readonly #random: () => number;
  /** The versions of each file, the newest last. Every file is written on one side alone, and deleted on any. */
  readonly #versions = new Map<string, { from: number; all: Version[] }>();
  /** The version of each file that the other side has. */
  readonly #delivered = new Map<string, number>();
  /** Files that the other side deleted, as a session is taken back. Their writers have them still. */
  readonly #deleted_there = new Set<string>();

  constructor(folders: readonly [string, string], random: () => number) {
    this.#folders = folders;
    this.#random = random;
  }

  /** Notes which files were written or deleted. */
  look(): void {
    const seen = this.#folders.map((folder) =>
      new Set(filesBelow(folder).map((path) => relative(folder, path)))
    );
    for (const [side, files] of seen.entries()) {
      for (const path of files) {
        const known = this.#versions.get(path);
        if (known !== undefined && known.from !== side) continue;
        if (/conflict|\.drafts/.test(path) || this.#deleted_there.has(path)) continue;
        const bytes = Deno.readFileSync(join(this.#folders[side] ?? "", path));
        const entry = known ?? { from: side, all: [] };
        if (!isSame(entry.all.at(-1), bytes)) entry.all.push(bytes);
        this.#versions.set(path, entry);
      }
    }
    for (const { from, all, path } of this.#each()) {
      if (all.at(-1) === undefined) continue;
      const came = all[this.#delivered.get(path) ?? -1] !== undefined;
      if (came && !seen[1 - from]?.has(path)) this.#deleted_there.add(path);
      else if (seen[from]?.has(path)) continue;
      all.push(undefined);
    }
  }

  *#each(): Generator<{ path: string; from: number; all: Version[] }> {
    for (const [path, entry] of this.#versions) yield { path, ...entry };
  }

  /** Delivers some files, some of them badly. */
  deliverSome(): void {
    this.look();
    const files = [...this.#each()].map((file) => ({ file, at: this.#random() }))
      .sort((one, other) => one.at - other.at);
    for (const { file: { path, from, all } } of files) {
      const act = this.#random();
      const delivered = this.#delivered.get(path) ?? -1;
      if (act < 0.4) continue;
      // Any version from the one before on: an old one may come once more.
      const first = Math.max(0, delivered - (act < 0.5 ? 1 : 0));
      const at = first + Math.floor(this.#random() * (all.length - first));
      const bytes = all[at];
      const target = join(this.#folders[1 - from] ?? "", path);
      // Half of a file is there before the whole, where nothing was before.
      if (bytes !== undefined && act < 0.6 && delivered < 0) {
        write(target, bytes.subarray(0, bytes.length / 2));
      } else if (bytes !== undefined && act > 0.6 && act < 0.7) {
        write(target.replace(/(\.\w+)$/, " (conflicted copy 2026-11-27)$1"), bytes);
        write(target.replace(/(\.\w+)$/, ".sync-conflict-20261127-190115-ABCDEFG$1"), bytes);
      } else {
        this.#deliver(path, at);
      }
    }
  }

  /** Delivers a version of a file whole. */
  #deliver(path: string, at: number): void {
    const { from, all } = this.#versions.get(path) ?? { from: 0, all: [] };
    const [source = "", target = ""] = [this.#folders[from], this.#folders[1 - from]];
    const bytes = all[at];
    if (bytes !== undefined) write(join(target, path), bytes);
    else {
      remove(join(target, path));
      if (this.#deleted_there.delete(path)) remove(join(source, path));
    }
    this.#delivered.set(path, at);
  }

  /** Delivers all that is new. */
  deliverAll(): void {
    this.look();
    for (const { path, all } of this.#each()) this.#deliver(path, all.length - 1);
  }
}

function isSame(one: Version, other: Version): boolean {
  return one?.length === other?.length && (one?.every((byte, at) => byte === other?.[at]) ?? true);
}

function write(path: string, bytes: Uint8Array): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeFileSync(path, bytes);
}

function remove(path: string): void {
  try {
    Deno.removeSync(path);
  } catch {
    // It never arrived.
  }
}
