/** Reads a file's versions from git, without running programs that the repository names. */
import { isAbsolute, join, relative, resolve } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import type { FileInfo } from "../../../core/platform/file_system.ts";
import { lstatSync } from "../../../core/platform/files.ts";
import { type GitPlace, runGit } from "./run_git.ts";

export interface FileCommit {
  sha: string;
  /** Times of the change's first commit and of this commit, in seconds since 1970. */
  author_time: number;
  committer_time: number;
  /** Git name (hash) of the content in this commit; empty if the commit deleted the file. */
  blob: string;
  /** Path of the file in this commit. */
  name: string;
}

/** Throws if a file that git reads is a pipe or a device, because git would wait for it. */
function refuseOddFile(path: string): void {
  const found = statIfThere(path);
  if (found === undefined || found.isFile || found.isSymlink || found.isDirectory) return;
  const message = `Cannot blame: git needs a file at this path, not a pipe or a device: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}

function statIfThere(path: string): FileInfo | undefined {
  try {
    return lstatSync(path);
  } catch {
    // It is missing.
    return undefined;
  }
}

const decoder = new TextDecoder();

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : decoder.decode(bytes);
}

export class Repository {
  /** Absolute path of the repository's top folder, with links resolved. */
  readonly top: string;
  readonly #place: GitPlace;

  private constructor(top: string, place: GitPlace) {
    this.top = top;
    this.#place = { ...place, cwd: top };
  }

  /** Opens the repository around a directory; undefined where there is none, or git refuses it. */
  static async around(place: GitPlace): Promise<Repository | undefined> {
    const top = text(await runGit(place, ["rev-parse", "--show-toplevel"])).replace(/\n$/, "");
    if (top === "") return undefined;
    for (const name of [".mailmap", ".gitattributes"]) refuseOddFile(join(top, name));
    return new Repository(resolve(top), place);
  }

  /** Runs a git command that only reads. Returns its output; undefined where it failed. */
  async ask(args: readonly string[], input = ""): Promise<string | undefined> {
    const bytes = await runGit(this.#place, args, input);
    return bytes === undefined ? undefined : decoder.decode(bytes);
  }

  pathOf(file: string): string | undefined {
    const path = relative(this.top, file);
    return path === "" || path.startsWith("..") || isAbsolute(path)
      ? undefined
      : path.replaceAll("\\", "/");
  }

  /**
   * Returns the lines of the file in HEAD with their commits; undefined for an uncommitted file.
   */
  async blame(path: string): Promise<BlamedLine[] | undefined> {
    // Only the option overrides blame.ignoreRevsFile of the repository.
    const options = ["--porcelain", "--no-textconv", "--no-ignore-revs-file"];
    const args = ["blame", ...options, "HEAD", "--", path];
    const bytes = await runGit(this.#place, args);
    return bytes === undefined ? undefined : parseBlame(decoder.decode(bytes));
  }

  /** Returns the commits that changed a file, also under its earlier names, newest first. */
  async history(path: string): Promise<FileCommit[]> {
    const form = ["--format=%x00%H %at %ct", "--raw", "--no-abbrev", "--no-show-signature"];
    const options = [...form, "--no-textconv", "--no-ext-diff", "--follow"];
    const found = text(await runGit(this.#place, ["log", ...options, "HEAD", "--", path]));
    return found.split("\0").slice(1).map((entry) => {
      const [, sha = "", author, committer] = /^(\w+) (\d+) (\d+)/.exec(entry) ?? [];
      const [, blob = "", paths = ""] = /^:\d+ \d+ \w+ (\w+) [^D]\d*\t(.*)$/m.exec(entry) ?? [];
      const name = unquoted(paths.split("\t").at(-1) ?? "");
      return { sha, author_time: Number(author), committer_time: Number(committer), blob, name };
    });
  }

  /** True if no merge lies between a commit and HEAD. */
  async isLinear(from: string): Promise<boolean> {
    const args = ["rev-list", "--merges", "--max-count=1", `${from}..HEAD`];
    const found = await runGit(this.#place, args);
    return found !== undefined && text(found).trim() === "";
  }

  /**
   * Returns the texts of versions by `COMMIT:PATH`. Missing versions, and names that git cannot
   * read, are left out.
   */
  async versions(names: readonly string[]): Promise<Map<string, string>> {
    const asked = [...new Set(names)].filter((name) => !name.includes("\n"));
    const found = new Map<string, string>();
    if (asked.length === 0) return found;
    const bytes = await runGit(this.#place, ["cat-file", "--batch"], asked.join("\n") + "\n");
    if (bytes === undefined) throw this.damage();
    let at = 0;
    for (const name of asked) {
      const end = bytes.indexOf(10, at);
      const [, type, size] = / (\w+) (\d+)$/.exec(decoder.decode(bytes.subarray(at, end))) ?? [];
      at = end + 1;
      // A missing name has no body.
      if (size === undefined) continue;
      const body = bytes.subarray(at, at + Number(size));
      if (type === "blob") found.set(name, decoder.decode(body));
      at += Number(size) + 1;
    }
    return found;
  }

  /** Makes the error for a git command that fails only if objects are damaged or missing. */
  damage(): SessionError {
    const message = `Cannot blame: git cannot read its objects in ${this.top}; try: git fsck`;
    return new SessionError("damaged", message);
  }
}

/** The commit that added a line. */
export interface BlamedCommit {
  /** The full hash of the commit. */
  sha: string;
  /** The time when the change was first made, in seconds since 1970. */
  author_time: number;
  /** The time when the commit was made in its present form, in seconds since 1970. */
  committer_time: number;
  /** Name of the person who made the change, as git records it. */
  author: string;
  /** First line of the commit message. */
  summary: string;
  /** The commit with the previous version, and the file's path in it; absent if the file is new. */
  previous?: { sha: string; path: string };
  /** The file's path in this commit. */
  path: string;
}

export interface BlamedLine {
  commit: BlamedCommit;
  /** The line's number in the commit's version, from 1. */
  line_in_commit: number;
  text: string;
}

const HEAD = /^([0-9a-f]{40,64}) (\d+) (\d+)(?: \d+)?$/;

function parseBlame(output: string): BlamedLine[] {
  const commits = new Map<string, BlamedCommit>();
  const lines: BlamedLine[] = [];
  let commit: BlamedCommit | undefined;
  let line_in_commit = 0;
  for (const line of output.split("\n")) {
    if (line.startsWith("\t")) {
      if (commit !== undefined) lines.push({ commit, line_in_commit, text: line.slice(1) });
      continue;
    }
    const head = HEAD.exec(line);
    if (head === null) {
      if (commit !== undefined) takeFact(commit, line);
      continue;
    }
    const [, sha = "", place] = head;
    line_in_commit = Number(place);
    commit = commits.get(sha) ??
      { sha, author_time: 0, committer_time: 0, author: "", summary: "", path: "" };
    commits.set(sha, commit);
  }
  return lines;
}

function takeFact(commit: BlamedCommit, line: string): void {
  const space = line.indexOf(" ");
  const [name, value] = space < 0 ? [line, ""] : [line.slice(0, space), line.slice(space + 1)];
  if (name === "author") commit.author = value;
  else if (name === "author-time") commit.author_time = Number(value);
  else if (name === "committer-time") commit.committer_time = Number(value);
  else if (name === "summary") commit.summary = value;
  else if (name === "filename") commit.path = unquoted(value);
  else if (name === "previous") {
    const [sha = "", ...path] = value.split(" ");
    commit.previous = { sha, path: unquoted(path.join(" ")) };
  }
}

/** Unquotes a name. Git quotes control characters, quotes and backslashes as C does. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name.slice(1, -1).replaceAll(/\\([abfnrtv"\\]|[0-7]{3})/g, (_, code: string) => {
    const known: Record<string, string> = { n: "\n", t: "\t", r: "\r", '"': '"', "\\": "\\" };
    return known[code] ?? String.fromCharCode(parseInt(code, 8));
  });
}
