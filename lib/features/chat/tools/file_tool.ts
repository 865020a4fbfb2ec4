/**
 * Common parts of the file tools: path, reading and permission. The tools ask the user about paths
 * outside the working directory, and about writes to git's own files.
 */
import { errorText } from "../../../core/event/error_text.ts";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { lstat, readFile, stat } from "../../../core/platform/files.ts";
import { isNotFound } from "../../../core/platform/system_error.ts";
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

export interface CalledFile {
  path: string;
  shown: string;
}

interface FileToolParts {
  name: string;
  description: string;
  /** JSON Schema properties of the tool's input, besides `path`. */
  properties: Record<string, unknown>;
  required: readonly string[];
  /** The verb for what the tool does, such as `reads`. */
  verb: string;
  /** True if the tool asks no permission to use git's own files. @default {false} */
  only_reads?: boolean;
  /** Runs the tool. If it throws, the error becomes the outcome. */
  run(input: unknown, file: CalledFile, signal: AbortSignal): Promise<ToolOutcome>;
}

const PATH = {
  type: "string",
  description: "Path of the file: absolute, or relative to the working directory",
};

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
        // In its own scope, because permission for other outside paths does not cover it.
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
 * True if a path leads to git's own files, also by links: `.git`, all below it, or a repository's
 * folder of any name. A file that would turn a folder into a repository counts too.
 */
function isGitsOwn(path: string, cwd: string): boolean {
  const given = resolve(cwd, path);
  return [given, realPath(given)].some((path) => namesGit(path) || isInRepository(path));
}

function namesGit(path: string): boolean {
  return path.split(/[\\/]/).some(isGitName);
}

/** Characters that macOS file systems ignore in names. */
const PASSED_OVER = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * True if some file system treats a name as `.git`. Examples are `.GIT`, a stream `.git:x`, and the
 * short name `git~1`.
 */
function isGitName(name: string): boolean {
  const [file = ""] = name.replaceAll(PASSED_OVER, "").toLowerCase().split(":");
  const bare = file.replace(/[ .]+$/, "");
  return bare === ".git" || /^git~\d+$/.test(bare);
}

/** True if a path is in a git directory: a bare repository, or one that a `.git` file names. */
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

/** Maximum size of a file to change, because it is held in memory whole. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Reads a text file.
 *
 * @throws {InvalidInput} If the file is missing, not regular, too large or not UTF-8.
 */
export async function readTextFile(path: string, shown: string): Promise<string> {
  const { size, isFile } = await stat(path).catch((error) => notRead(error, shown));
  if (!isFile) throw new InvalidInput(`Cannot change file: it is not a regular file: ${shown}`);
  if (size > MAX_BYTES) throw new InvalidInput(`Cannot change file: it is too large: ${shown}`);
  const bytes = await readFile(path).catch((error) => notRead(error, shown));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // A tolerant decoder would change invalid bytes on writing.
    throw new InvalidInput(`Cannot change file: it is not UTF-8 text: ${shown}`);
  }
}

export async function readIfThere(path: string, shown: string): Promise<string | undefined> {
  try {
    await lstat(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    notRead(error, shown);
  }
  return await readTextFile(path, shown);
}

export function notRead(error: unknown, shown: string): never {
  if (isNotFound(error)) {
    throw new InvalidInput(`Cannot read file: it does not exist: ${shown}`);
  }
  const reason = errorText(error);
  throw new InvalidInput(`Cannot read file: ${reason}`);
}
