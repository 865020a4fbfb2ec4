/** Objects in a folder of another machine, by the system's `sftp`. */
import { dirname, join } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { isThere } from "../../file/presence.ts";
import { readShortFile } from "../../file/short_file.ts";
import { writeWhole } from "../../log/write_whole.ts";
import { makeTempDirSync, openSync, removeSync } from "../../platform/files.ts";
import { type ObjectStore, objectTooLarge, type StoredObject } from "../objects/object_store.ts";
import { SftpSession } from "./sftp_session.ts";

/** A folder on a host. */
export interface SftpPlace {
  /** Arguments of `sftp` that name the host. */
  target: readonly string[];
  /** The folder there; a relative one begins in the home. */
  folder: string;
  /** The address, for messages. */
  url: string;
}

/** Returns the host and the folder of `ssh://[USER@]HOST[:PORT]/FOLDER`. A `~` is the home there. */
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

/** Opens a folder of another machine. It is made by the first write. */
export function openSftpStore(place: SftpPlace): ObjectStore {
  return new SftpStore(place);
}

/** A line of `ls -l`: the kind, the size, the time and the name. */
const ENTRY = /^([-d])\S{9}.*?\s(\d+)\s+(\S+\s+\d+\s+[\d:]+)\s+(?:.*\/)?([^/\s]+)$/;

interface Entry {
  name: string;
  is_folder: boolean;
  size: number;
  tag: string;
}

class SftpStore implements ObjectStore {
  readonly #place: SftpPlace;
  readonly #session: SftpSession;
  /** A folder of this machine, through which files come and go. */
  readonly #local = makeTempDirSync({ prefix: "reprise-sftp-" });
  readonly #made = new Set<string>();

  constructor(place: SftpPlace) {
    this.#place = place;
    this.#session = new SftpSession(place.target, place.url);
  }

  async *list(prefix: string): AsyncGenerator<StoredObject[]> {
    const entries = await this.#entries(this.#remote(prefix));
    const page = entries.filter(({ is_folder }) => !is_folder)
      .map(({ name, size, tag }) => ({ key: prefix + name, size, tag }));
    if (page.length > 0) yield page;
    for (const { name, is_folder } of entries) if (is_folder) yield* this.list(`${prefix}${name}/`);
  }

  async #entries(path: string): Promise<Entry[]> {
    const lines = await this.#session.run(`ls -l ${quoted(path)}`);
    return lines.flatMap((line) => {
      const [, kind, size, time, name] = ENTRY.exec(line) ?? [];
      if (name === undefined || size === undefined || time === undefined) return [];
      const tag = `${size} ${time.replaceAll(/\s+/g, " ")}`;
      return [{ name, is_folder: kind === "d", size: Number(size), tag }];
    });
  }

  /** Looks at one object, in the listing of its folder. */
  async #entry(key: string): Promise<Entry | undefined> {
    const name = key.slice(key.lastIndexOf("/") + 1);
    const entries = await this.#entries(this.#remote(dirname(key)));
    return entries.find((one) => one.name === name && !one.is_folder);
  }

  async get(key: string, limit: number): Promise<{ bytes: Uint8Array; tag: string } | undefined> {
    const entry = await this.#entry(key);
    if (entry === undefined) return undefined;
    if (entry.size > limit) throw objectTooLarge(this.#remote(key), limit);
    const local = join(this.#local, crypto.randomUUID());
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
    const local = join(this.#local, crypto.randomUUID());
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
    const message = "Cannot write object: the host refused it; look at its rights and its disk: " +
      this.#place.url;
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
    removeSync(this.#local, { recursive: true });
  }
}

/** Quotes a path as sftp reads it. */
function quoted(path: string): string {
  return `"${path.replaceAll(/[\\"]/g, "\\$&")}"`;
}
