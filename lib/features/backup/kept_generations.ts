/** Changes the manifest of one session's backup, and moves the copies of its generations. */
import { basename, join, posix } from "node:path";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import {
  type GenerationEnd,
  type KeptFile,
  type KeptGeneration,
  type KeptManifest,
  LATEST,
  latestOf,
  mainFile,
  packedCopy,
  readKeptManifest,
} from "../../library/machine/kept/manifest.ts";
import { renameSync } from "../../core/platform/files.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { conditionOf, shortened, syncCopy } from "./copy_file.ts";
import { copyName, moveAway, moveBack, writeManifest } from "./kept_folder.ts";
import { lookAtSource, type SeenSource } from "./source_file.ts";
import { unpackCopy } from "./unpack_copy.ts";

/** Maximum bytes of a copy that is replaced. A larger file gets a new generation instead. */
const SIDE_BYTES = 16 * 1024 * 1024;

export class KeptGenerations {
  readonly #folder: string;
  readonly #session: AgentSession;
  readonly #now: Date;
  readonly #sync: boolean;
  /** The session's manifest; undefined before the first copy. */
  manifest: KeptManifest | undefined;
  changed = false;
  began: "first" | GenerationEnd | undefined;

  constructor(folder: string, session: AgentSession, now: Date, sync = true) {
    this.#sync = sync;
    this.#folder = folder;
    this.#session = session;
    this.#now = now;
    this.manifest = readKeptManifest(folder);
  }

  /**
   * Decompresses the copied log of a deleted session once its original file is back. A damaged or
   * missing copy is made anew.
   *
   * @throws {SessionError} `disk-full`, `permission`, `io`
   */
  async unpackLatest(): Promise<void> {
    const { manifest } = this;
    const packed = manifest?.packed?.find(({ copy }) => copy.startsWith(`${LATEST}/`));
    if (manifest === undefined || packed === undefined) return;
    if (lookAtSource(this.#session.path) === undefined) return;
    const copy = join(this.#folder, packed.copy);
    const made = `${copy}.tmp`;
    removeQuietly(made);
    try {
      await unpackCopy(this.#folder, manifest, packed.copy, made);
      // The compressed form is removed below.
      await syncCopy(made);
      renameSync(made, copy);
    } catch (error) {
      const is_damaged = error instanceof SessionError && error.code === "damaged";
      if (!is_damaged && !isNotFound(error)) throw error;
      this.#reset(mainFile(latestOf(manifest)).name);
    }
    manifest.packed = manifest.packed?.filter((one) => one !== packed) ?? [];
    await this.save();
    removeQuietly(join(this.#folder, packed.packed));
  }

  /**
   * Moves copies back that a killed process had moved. Mends the manifest's entries of short and
   * missing copies. A damaged copy begins a new generation.
   */
  async mend(): Promise<void> {
    const { manifest } = this;
    if (manifest === undefined) return;
    moveBack(this.#folder, manifest);
    const damaged: string[] = [];
    for (const [index, file] of latestOf(manifest).files.entries()) {
      if (packedCopy(manifest, file.copy) !== undefined) continue;
      const copy = join(this.#folder, file.copy);
      const condition = conditionOf(copy, file);
      if (condition === "whole") continue;
      if (condition === "damaged") damaged.push(file.name);
      else {
        latestOf(manifest).files[index] = condition === "missing"
          ? { ...file, bytes: 0, crc: 0, mark: 0, seen: 0 }
          : shortened(copy, file);
        this.changed = true;
      }
    }
    if (damaged.length > 0) await this.begin(damaged, "copy-damaged");
  }

  /** Returns the newest generation's file for a path. A moved file is found by its name. */
  fileOf(path: string): KeptFile | undefined {
    if (this.manifest === undefined) return undefined;
    const { files } = latestOf(this.manifest);
    if (path === this.#session.path) return files[0];
    const name = copyName(this.#session.path, path);
    return files.find((file) => file.path === path) ?? files.find((file) => file.name === name);
  }

  newFile(path: string, { mode, mtime, ctime, ino }: SeenSource): KeptFile {
    const files = this.manifest === undefined ? [] : latestOf(this.manifest).files;
    const taken = new Set(files.map((file) => file.name));
    const plain = copyName(this.#session.path, path);
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}~${number}`;
    const copy = `${LATEST}/${name}`;
    return { name, path, copy, bytes: 0, crc: 0, mark: 0, mode, mtime, ctime, ino, seen: 0 };
  }

  put(file: KeptFile, { added }: { added: number }): void {
    this.changed = true;
    if (this.manifest === undefined) {
      this.manifest = this.#newManifest(file);
      this.began = "first";
      return;
    }
    const latest = latestOf(this.manifest);
    const index = latest.files.findIndex(({ name }) => name === file.name);
    if (index < 0) latest.files.push(file);
    else latest.files[index] = file;
    if (added > 0) latest.kept_at = this.#now.toISOString();
  }

  #newManifest(file: KeptFile): KeptManifest {
    const { agent, id, cwd, archived } = this.#session;
    const at = this.#now.toISOString();
    const generations = [{ number: 1, began_at: at, kept_at: at, files: [file] }];
    return present({
      ...{ version: 1 as const, agent, id, cwd, archived: archived || undefined, generations },
    });
  }

  /**
   * True for a small metadata file that some agents rewrite with each message. Its copy is replaced
   * without a new generation.
   */
  isReplaceable({ name, bytes }: KeptFile): boolean {
    const own = this.manifest && latestOf(this.manifest).files[0]?.name === name;
    return !own && !name.endsWith(".jsonl") && bytes <= SIDE_BYTES;
  }

  /** Lets a file be copied anew. A copy that older generations share moves to the last of them. */
  replace({ name }: KeptFile): void {
    const { generations } = this.manifest as KeptManifest;
    const copy = `${LATEST}/${name}`;
    const earlier = generations.slice(0, -1).filter(({ files }) =>
      files.some((file) => file.copy === copy)
    );
    const last = earlier.at(-1);
    if (last !== undefined) {
      moveAway(this.#folder, last.number, [name]);
      this.#point(earlier, name, last.number);
    }
    this.#reset(name);
  }

  /** Begins a generation. The named files' copies move to the ended generation's folder. */
  async begin(names: readonly string[], reason: GenerationEnd): Promise<void> {
    const manifest = this.manifest as KeptManifest;
    const ended = latestOf(manifest);
    moveAway(this.#folder, ended.number, names);
    const at = this.#now.toISOString();
    const files = ended.files.map((file) => ({ ...file }));
    ended.ended = reason;
    manifest.generations.push({ number: ended.number + 1, began_at: at, kept_at: at, files });
    for (const name of names) {
      this.#point(manifest.generations, name, ended.number);
      this.#reset(name);
    }
    this.began ??= reason;
    // Saved before anything is copied, so that the manifest names the new paths.
    await this.save();
  }

  /** Records that a file's newest copy has moved to the folder of generation `number`. */
  #point(generations: readonly KeptGeneration[], name: string, number: number): void {
    for (const { files } of generations) {
      for (const file of files) {
        if (file.copy === `${LATEST}/${name}`) file.copy = `${number}/${name}`;
      }
    }
    for (const packed of this.manifest?.packed ?? []) {
      if (packed.base === `${LATEST}/${name}`) packed.base = `${number}/${name}`;
    }
  }

  #reset(name: string): void {
    const { files } = latestOf(this.manifest as KeptManifest);
    const index = files.findIndex((file) => file.name === name);
    const file = files[index];
    if (file === undefined) return;
    const named = index === 0 ? this.#ownName(name) : name;
    const copy = `${LATEST}/${named}`;
    files[index] = { ...file, name: named, bytes: 0, crc: 0, mark: 0, copy };
    this.changed = true;
  }

  /** Returns the name of the session's own file, with `.zst` if the source is compressed now. */
  #ownName(name: string): string {
    const [now, before] = [basename(this.#session.path), posix.basename(name)];
    const compressed = now === `${before}.zst` || before === `${now}.zst`;
    return compressed ? posix.join(posix.dirname(name), now) : name;
  }

  async syncCopies(): Promise<void> {
    const { manifest } = this;
    if (manifest === undefined) return;
    for (const { copy, bytes } of latestOf(manifest).files) {
      if (bytes > 0 && packedCopy(manifest, copy) === undefined) {
        await syncCopy(join(this.#folder, copy));
      }
    }
  }

  async save(): Promise<void> {
    if (this.manifest === undefined) return;
    await writeManifest(this.#folder, this.manifest, this.#sync);
    this.changed = true;
  }
}
