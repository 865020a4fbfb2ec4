/**
 * Common parts of the file tools: a path, and a question if it leads out of the working directory.
 * Writing to git's own files is a question, too.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { lstat, readFile, stat } from "../../platform/files.ts";
import { isNotFound } from "../../platform/system_error.ts";
import type { ChatTool, ToolContext, ToolOutcome, ToolQuestion } from "./tool.ts";
import {
  absolutePath,
  failedOutcome,
  InvalidInput,
  leavesDirectory,
  pathIn,
  realPath,
  shownPath,
} from "./tool_input.ts";

/** A file that a call is about. */
export interface CalledFile {
  path: string;
  /** The path as model and user see it. */
  shown: string;
}

/** What a tool for files is made of. */
interface FileToolParts {
  name: string;
  description: string;
  /** What it takes beside the path. */
  properties: Record<string, unknown>;
  /** Which of them have to be there. */
  required: readonly string[];
  /** What it does to the file, in a word: `reads`. */
  verb: string;
  /** Whether it does no more than that. @default {false} */
  only_reads?: boolean;
  /** Does it; what it throws is the outcome. */
  run(input: unknown, file: CalledFile, signal: AbortSignal): Promise<ToolOutcome>;
}

const PATH = { type: "string", description: "The file, absolute or below the working directory" };

/** A tool for one file. */
export function fileTool(
  { name, description, properties, required, verb, only_reads = false, run }: FileToolParts,
): ChatTool {
  const parameters = {
    type: "object",
    properties: { path: PATH, ...properties },
    required: ["path", ...required],
    additionalProperties: false,
  };
  return {
    definition: { name, description, parameters },
    title: pathIn,
    asks(input, cwd): ToolQuestion | undefined {
      const path = pathIn(input);
      if (!only_reads && isGitsOwn(path, cwd)) {
        // In a scope of its own: whoever lets it write elsewhere has not meant this.
        const reason = `${verb} one of git's own files, which can make git run programs`;
        return { reason, scope: `${name} of git's own files` };
      }
      if (!leavesDirectory(path, cwd)) return undefined;
      return { reason: `${verb} a file outside the working directory` };
    },
    async run(input: unknown, { cwd, signal }: ToolContext): Promise<ToolOutcome> {
      try {
        const path = absolutePath(input, cwd);
        return await run(input, { path, shown: shownPath(path, cwd) }, signal);
      } catch (error) {
        return failedOutcome(error, signal);
      }
    },
  };
}

/**
 * Whether a path leads to git's own files, by links as well: to `.git` or below it, or into the
 * folder of a repository that has another name. A file that would make a folder such a one counts.
 */
function isGitsOwn(path: string, cwd: string): boolean {
  const given = resolve(cwd, path);
  return [given, realPath(given)].some((path) => namesGit(path) || isInRepository(path));
}

function namesGit(path: string): boolean {
  return path.split(/[\\/]/).some(isGitName);
}

/** Characters that a file system of macOS passes over in names. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether some file system takes a name for `.git`: any case, a stream of it, its short name. */
function isGitName(name: string): boolean {
  const [file = ""] = name.replaceAll(PASSED_OVER, "").toLowerCase().split(":");
  const bare = file.replace(/[ .]+$/, "");
  return bare === ".git" || /^git~\d+$/.test(bare);
}

/** A folder is taken for a repository by what is in it: a bare one, or one that `.git` names. */
function isInRepository(path: string): boolean {
  for (let below = path, folder = dirname(path); folder !== below; folder = dirname(folder)) {
    const child = below.slice(folder.length).replace(/^[\\/]/, "").toLowerCase();
    const has = (name: string): boolean =>
      child === name.toLowerCase() || existsSync(join(folder, name));
    if (has("HEAD") && (has("objects") && has("refs") || has("commondir"))) return true;
    below = folder;
  }
  return false;
}

/** A larger file is not changed: the whole of it is held in memory. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The text of a file.
 *
 * @throws {InvalidInput} When it cannot be changed without harm: too large, or no UTF-8.
 */
export async function readTextFile(path: string, shown: string): Promise<string> {
  const { size, isFile } = await stat(path).catch((error) => notRead(error, shown));
  if (!isFile) throw new InvalidInput(`Cannot change file: it is no regular file: ${shown}`);
  if (size > MAX_BYTES) throw new InvalidInput(`Cannot change file: it is too large: ${shown}`);
  const bytes = await readFile(path).catch((error) => notRead(error, shown));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Decoded otherwise, what is no UTF-8 would be written back as something else.
    throw new InvalidInput(`Cannot change file: it is not UTF-8 text: ${shown}`);
  }
}

/** The same, or undefined where there is no file. */
export async function readIfThere(path: string, shown: string): Promise<string | undefined> {
  try {
    await lstat(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    notRead(error, shown);
  }
  return await readTextFile(path, shown);
}

/** Says in words why a file cannot be read. */
export function notRead(error: unknown, shown: string): never {
  if (isNotFound(error)) {
    throw new InvalidInput(`Cannot read file: it does not exist: ${shown}`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  throw new InvalidInput(`Cannot read file: ${reason}`);
}
