/** Validates a model's input to a tool before it is used. */
import { errorText } from "../../../core/event/error_text.ts";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { ExactNumber } from "../../../core/pipeline/mod.ts";
import { lstatSync, realPathSync } from "../../../core/platform/files.ts";
import { objectOf } from "../json_object.ts";
import type { ToolOutcome } from "./tool.ts";

/** The error for an invalid input. The model is sent its message and can try again. */
export class InvalidInput extends Error {
  override name = "InvalidInput";
}

export function requiredText(input: unknown, name: string): string {
  const value = objectOf(input)[name];
  if (typeof value === "string") return value;
  throw new InvalidInput(
    `Invalid input: "${name}" is ${value === undefined ? "absent" : "not a string"}`,
  );
}

/** Returns a whole number, lowered to `most`, or the default `otherwise`. Throws below `least`. */
export function optionalCount(
  input: unknown,
  name: string,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  const given = objectOf(input)[name];
  if (given === undefined || given === null) return otherwise;
  const value = given instanceof ExactNumber ? Number(given) : given;
  if (typeof value === "number" && Number.isInteger(value) && value >= least) {
    return Math.min(value, most);
  }
  throw new InvalidInput(`Invalid input: "${name}" is not a whole number of at least ${least}`);
}

export function pathIn(input: unknown): string {
  const { path } = objectOf(input);
  return typeof path === "string" ? path : "";
}

export function absolutePath(input: unknown, cwd: string): string {
  const path = requiredText(input, "path");
  if (path === "" || path.includes("\0")) {
    throw new InvalidInput('Invalid input: "path" is not a path');
  }
  return resolve(cwd, path);
}

export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === "" || below.startsWith("..") || isAbsolute(below) ? path : below;
}

/**
 * True if a path leads out of the working directory, also by symbolic links. A missing file counts
 * as part of its nearest existing folder.
 */
export function leavesDirectory(path: string, cwd: string): boolean {
  const below = relative(realPath(resolve(cwd)), realPath(resolve(cwd, path)));
  return below === ".." || below.startsWith("../") || below.startsWith("..\\") || isAbsolute(below);
}

/** Returns a path without links. For a missing file, resolves its nearest existing folder. */
export function realPath(path: string): string {
  try {
    return realPathSync(path);
  } catch {
    // Missing or inaccessible: the folder above decides. A dangling link counts as outside, because
    // a write would make the file at its target.
    const parent = resolve(path, "..");
    if (parent === path || isLink(path)) return resolve("/");
    return join(realPath(parent), basename(path));
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymlink;
  } catch {
    return false;
  }
}

/** Returns a thrown error as an outcome, bugs included, so that the chat continues. */
export function failedOutcome(error: unknown, signal: AbortSignal): ToolOutcome {
  if (signal.aborted) return { status: "interrupted", error: "Interrupted by the user" };
  return { status: "error", error: errorText(error) };
}
