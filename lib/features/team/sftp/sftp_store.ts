/** Keeps objects in a folder of another machine, through the system's `sftp`. */
import { dirname, join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { isThere } from "../../../core/file/presence.ts";
import { readShortFile } from "../../../core/file/short_file.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { TemporaryFolder } from "../../../core/log/temporary_folder.ts";
import { openSync, removeSync } from "../../../core/platform/files.ts";
import {
  isKeyFolder,
  MAX_LISTED,
  type ObjectStore,
  objectTooLarge,
  type StoredObject,
  tooManyNames,
} from "../objects/object_store.ts";
import { type SftpHost, SftpSession } from "./sftp_session.ts";

export interface SftpPlace extends SftpHost {
  /** The folder on the host. A relative path begins in the home folder. */
  folder: string;
}

/** Parses `ssh://[USER@]HOST[:PORT]/FOLDER`. The folder `~` is the user's home on the host. */
export function sftpPlace(url: string): SftpPlace {
  const { hostname, username, port, pathname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const user = username === "" ? [] : ["-o", `User=${decodeURIComponent(username)}`];
  return {
    target: [...user, ...port === "" ? [] : ["-P", port], "--", host],
    folder: decodeURIComponent(pathname).replace(/^\/~\//, "").replace(/\/$/, ""),
    url,
  };
}

/** Opens a folder on another machine as a store. The first write creates the folder. */
export function openSftpStore(place: SftpPlace): ObjectStore {
  return new SftpStore(place);
}

const KIND = /^([-d])\S{9}/;
/** Matches size and time in a line of `ls -l`. The path follows. Its folders may have spaces. */
const FACTS = /\s(\d{1,15})\s+([A-Z][a-z]{2}\s+\d{1,2}\s+[\d:]{4,5})\s+/;
const NAME = /^[^/\s]+$/;

interface Entry {
  name: string;
  is_folder: boolean;
  size: number;
  tag: string;
}

class SftpStore implements ObjectStore {
  readonly #place: SftpPlace;
  readonly #session: SftpSession;
  readonly #local = new TemporaryFolder("sftp");
  readonly #made = new Set<string>();

  constructor(place: SftpPlace) {
    this.#place = place;
    this.#session = new SftpSession(place);
  }

  async *list(prefix: string): AsyncGenerator<StoredObject[]> {
    const folders = [prefix];
    let listed = 0;
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const entries = await this.#entries(this.#remote(folder));
      listed += entries.reduce((sum, { name }) => sum + name.length, 1);
      if (listed > MAX_LISTED) throw tooManyNames(this.#place.url);
      const page: StoredObject[] = [];
      for (const { name, is_folder, size, tag } of entries) {
        if (!is_folder) page.push({ key: folder + name, size, tag });
        else if (isKeyFolder(`${folder}${name}/`)) folders.push(`${folder}${name}/`);
      }
      if (page.length > 0) yield page;
    }
  }

  async #entries(path: string): Promise<Entry[]> {
    const lines = await this.#session.run(`ls -l ${quoted(path)}`);
    return lines.flatMap((line) => {
      const kind = KIND.exec(line)?.[1];
      const facts = kind === undefined ? null : FACTS.exec(line);
      const path = facts === null ? "" : line.slice(facts.index + facts[0].length);
      const name = path.slice(path.lastIndexOf("/") + 1);
      const [, size = "", time = ""] = facts ?? [];
      if (!NAME.test(name) || name === "." || name === "..") return [];
      const tag = `${size} ${time.replaceAll(/\s+/g, " ")}`;
      return [{ name, is_folder: kind === "d", size: Number(size), tag }];
    });
  }

  async #entry(key: string): Promise<Entry | undefined> {
    const name = key.slice(key.lastIndexOf("/") + 1);
    const entries = await this.#entries(this.#remote(dirname(key)));
    return entries.find((one) => one.name === name && !one.is_folder);
  }

  async get(key: string, limit: number): Promise<{ bytes: Uint8Array; tag: string } | undefined> {
    const entry = await this.#entry(key);
    if (entry === undefined) return undefined;
    if (entry.size > limit) throw objectTooLarge(this.#remote(key), limit);
    const local = join(this.#local.path, crypto.randomUUID());
    await this.#session.run(`get ${quoted(this.#remote(key))} ${quoted(local)}`);
    // It was replaced, or taken back, meanwhile; or may not be read.
    if (!isThere(local)) return undefined;
    try {
      return { bytes: readShortFile(local, limit, { follow: false }), tag: entry.tag };
    } finally {
      removeSync(local);
    }
  }

  async put(key: string, bytes: Uint8Array, if_tag?: string | null): Promise<string | undefined> {
    const local = join(this.#local.path, crypto.randomUUID());
    const draft = `.drafts/${crypto.randomUUID()}`;
    const file = openSync(local, { write: true, createNew: true, mode: 0o600 });
    try {
      writeWhole(file, bytes);
      await this.#makeFolder(".drafts");
      await this.#makeFolder(dirname(key));
      await this.#session.run(`put ${quoted(local)} ${quoted(this.#remote(draft))}`);
      if (if_tag !== undefined && (await this.#entry(key))?.tag !== (if_tag ?? undefined)) {
        await this.#session.run(`rm ${quoted(this.#remote(draft))}`);
        return undefined;
      }
      const names = `${quoted(this.#remote(draft))} ${quoted(this.#remote(key))}`;
      await this.#session.run(`rename ${names}`);
    } finally {
      file.close();
      removeSync(local);
    }
    const entry = await this.#entry(key);
    if (entry?.size === bytes.length) return entry.tag;
    const message =
      "Cannot write file to the store: the host refused the file; check the permissions and " +
      `the free disk space: ${this.#place.url}`;
    throw new SessionError("io", message);
  }

  async delete(key: string): Promise<void> {
    await this.#session.run(`rm ${quoted(this.#remote(key))}`);
  }

  async #makeFolder(below: string): Promise<void> {
    if (this.#made.has(below)) return;
    if (below !== ".") await this.#makeFolder(dirname(below));
    await this.#session.run(`mkdir ${quoted(this.#remote(below))}`);
    this.#made.add(below);
  }

  #remote(key: string): string {
    return `${this.#place.folder}/${key === "." ? "" : key}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session.end();
    this.#local[Symbol.dispose]();
  }
}

function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;
}
