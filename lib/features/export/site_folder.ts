/**
 * Manages a site's folder. A session is recorded after all its files are written. So a run after an
 * interrupted one continues, and a later run writes only what changed. Written sessions stay.
 *
 * ```text
 * site.jsonl             {"reprise_site":1,"redacted":true}, then a line a session; the last one counts
 * index.html, projects.html, search.html, search/   what leads to the sessions
 * sessions/NAME/         the pages of a session, with the passages that the search shows
 * site.lock              empty; removed when a run ends
 * ```
 */
import { join } from "node:path";
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { sha256 } from "../../core/event/sha256.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { tryLockFile } from "../../core/log/lock_file.ts";
import { openOrMakeOwnFile } from "../../core/log/own_file.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import type { OpenFile } from "../../core/platform/file_system.ts";
import {
  lstatSync,
  mkdirSync,
  readDirSync,
  removeSync,
  renameSync,
  writeTextFileSync,
} from "../../core/platform/files.ts";
import { isThere } from "../../core/file/presence.ts";
import { readShortText, RECORDS_BYTES } from "../../core/file/short_file.ts";
import type { SiteRow } from "../../text/render/html_site/site_pages.ts";
import type { WriteFile } from "../../text/render/html_site/word_index.ts";

interface SiteSession {
  name: string;
  /** Digest that changes if the session changes, or if the program would write it differently. */
  digest: string;
  row: SiteRow;
  /** Names of the session's pages whose texts are searched, without `.html`. */
  pages: readonly string[];
}

const RECORD = "site.jsonl";
const LOCK = "site.lock";
const DRAFT = ".draft";
/** Path of the site's index, relative to a session's folder. */
export const SITE_INDEX = "../../index.html";
const PRIVATE = { mode: 0o700 };
const PASSAGES = /^search\/(index|\d+)\.js$/;
/** Matches names of numbered index files. A run removes those that it does not write again. */
const PARTS = /^(?:index|projects)-\d+\.html$|^words-\d+-\d+\.js$/;

/** Returns a digest of all facts that decide how a session is written. */
export function siteDigest(facts: unknown): string {
  return digestOf(JSON.stringify(facts));
}

export function siteName(ref: string): string {
  const readable = ref.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-").slice(0, 40);
  return `${readable}-${digestOf(ref).slice(0, 12)}`;
}

export class SiteFolder implements Disposable {
  readonly #path: string;
  readonly #lock: Disposable;
  readonly #record: OpenFile;
  readonly #sessions = new Map<string, SiteSession>();
  /** Digest of the sessions in the lists and the search index, as last written. */
  #indexed = "";

  /**
   * Opens a folder, or makes it.
   *
   * @param redacted True if secrets are replaced in all sessions.
   * @throws {SessionError} `io` if the folder is neither empty nor a site, or is a site that treats
   * secrets differently; `locked`, `permission`
   */
  constructor(path: string, redacted: boolean) {
    this.#path = path;
    guarded(path, () => mkdirSync(path, { recursive: true, ...PRIVATE }));
    const is_new = guarded(path, () => [...readDirSync(path)].length === 0);
    if (!is_new) this.#assertOurs(redacted);
    const lock = guarded(path, () => tryLockFile(this.#at(LOCK)));
    // The run that held the lock may have removed the file: then the lock excludes no one.
    if (lock === undefined || !isThere(this.#at(LOCK))) {
      lock?.[Symbol.dispose]();
      throw refused("another export is writing this site", path, "locked");
    }
    this.#lock = lock;
    try {
      for (const name of ["sessions", "search"]) this.#makeFolder(name);
      this.#record = openOrMakeOwnFile(this.#at(RECORD), { append: true });
      if (is_new) this.#append({ reprise_site: 1, redacted });
      else this.#readRecord();
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#record.close();
    for (const name of [DRAFT, LOCK]) {
      try {
        this.#remove(name);
      } catch {
        // The next run removes it.
      }
    }
    this.#lock[Symbol.dispose]();
  }

  get sessions(): readonly SiteSession[] {
    return [...this.#sessions.values()];
  }

  has(name: string, digest: string): boolean {
    return this.#sessions.get(name)?.digest === digest &&
      isThere(this.#at("sessions", name, "index.html"));
  }

  /** Writes all files of a session, or none. @param write Returns the session's row for lists. */
  async writeSession(
    name: string,
    digest: string,
    write: (file: WriteFile) => Promise<Omit<SiteRow, "href">>,
  ): Promise<void> {
    const draft = this.#at(DRAFT);
    const pages: string[] = [];
    this.#remove(DRAFT);
    guarded(draft, () => mkdirSync(join(draft, "search"), { recursive: true, ...PRIVATE }));
    const row = await write((file, text) => {
      const [, page] = PASSAGES.exec(file) ?? [];
      if (page !== undefined) pages.push(page);
      put(join(draft, file), text);
    });
    this.#remove("sessions", name);
    guarded(draft, () => renameSync(draft, this.#at("sessions", name)));
    const session = { name, digest, row: { ...row, href: `sessions/${name}/index.html` }, pages };
    this.#append(session);
    this.#sessions.set(name, session);
  }

  /** Returns the script with the page's passages for the search. */
  passages({ name }: SiteSession, page: string): string {
    const path = this.#at("sessions", name, "search", `${page}.js`);
    return read(path);
  }

  /**
   * Writes the lists and the search, if a session changed since they were last written. Leaves
   * unchanged files as they are, and removes obsolete files.
   */
  writeIndex(generator: string, write: (file: WriteFile) => void): void {
    const digest = digestOf(
      JSON.stringify([generator, ...this.sessions.map(({ name, digest }) => [name, digest])]),
    );
    if (digest === this.#indexed) return;
    const written = new Set<string>();
    write((name, text) => {
      written.add(name);
      this.#replace(name, text);
    });
    for (const folder of ["", "search/"]) {
      for (const { name } of guarded(this.#path, () => [...readDirSync(this.#at(folder))])) {
        if (PARTS.test(name) && !written.has(folder + name)) this.#remove(folder + name);
      }
    }
    this.#append({ indexed: digest });
    this.#indexed = digest;
  }

  /** Appends a line after a line break, so that a torn line before it does no damage. */
  #append(value: unknown): void {
    const bytes = new TextEncoder().encode(`\n${JSON.stringify(value)}\n`);
    guarded(this.#path, () => writeWhole(this.#record, bytes));
  }

  #at(...steps: string[]): string {
    return join(this.#path, ...steps);
  }

  #replace(name: string, text: string): void {
    const path = this.#at(name);
    const is_same = isThere(path) && lstatSync(path).isFile &&
      read(path) === text;
    if (is_same) return;
    this.#remove(DRAFT);
    put(this.#at(DRAFT), text);
    guarded(path, () => renameSync(this.#at(DRAFT), path));
  }

  /** Removes a file, a link or a folder, if it is there. Links are not followed. */
  #remove(...steps: string[]): void {
    const path = this.#at(...steps);
    if (isThere(path)) guarded(path, () => removeSync(path, { recursive: true }));
  }

  /**
   * Makes a folder. Throws if anything else has the name, because a link may lead out of the site.
   */
  #makeFolder(name: string): void {
    const path = this.#at(name);
    if (!isThere(path)) guarded(path, () => mkdirSync(path, PRIVATE));
    else if (!lstatSync(path).isDirectory) {
      throw refused(`"${name}" in the site's folder is not a folder`, this.#path);
    }
  }

  #assertOurs(redacted: boolean): void {
    const head = this.#recordLines().find((line) => line !== undefined);
    if (!isObject(head) || head.reprise_site !== 1) {
      throw refused(
        "the folder is not empty and is not a Reprise site; choose another folder",
        this.#path,
      );
    }
    if (head.redacted === redacted) return;
    const reason = redacted
      ? "the site in this folder has unredacted pages, so Reprise cannot add redacted pages; " +
        "choose another folder, or add --no-redact"
      : "the site in this folder has redacted pages, so Reprise cannot add unredacted pages; " +
        "choose another folder, or leave out --no-redact";
    throw refused(reason, this.#path);
  }

  #readRecord(): void {
    for (const line of this.#recordLines()) {
      if (!isObject(line)) continue;
      if (typeof line.name === "string") {
        this.#sessions.set(line.name, line as unknown as SiteSession);
      }
      if (typeof line.indexed === "string") this.#indexed = line.indexed;
    }
  }

  /** Returns the parsed lines of `site.jsonl`. A line torn by a killed run is undefined. */
  #recordLines(): unknown[] {
    const path = this.#at(RECORD);
    if (!isThere(path)) return [];
    return read(path).split("\n").map(parsedJson);
  }
}

function digestOf(text: string): string {
  return sha256(new TextEncoder().encode(text));
}

function read(path: string): string {
  return guarded(path, () => readShortText(path, RECORDS_BYTES, { follow: false }));
}

function put(path: string, text: string): void {
  guarded(path, () => writeTextFileSync(path, text, { createNew: true, mode: 0o600 }));
}

function guarded<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toSessionError(error, "write site", path);
  }
}

function refused(reason: string, path: string, code: "io" | "locked" = "io"): SessionError {
  return new SessionError(code, `Cannot write site: ${reason}: ${path}`, { path });
}
