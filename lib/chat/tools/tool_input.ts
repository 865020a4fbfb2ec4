/** Validates a model's input to a tool before it is used. */
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { ExactNumber } from "../../pipeline/mod.ts";
import { lstatSync, realPathSync } from "../../platform/files.ts";
import { objectOf } from "../json_object.ts";
import type { ToolOutcome } from "./tool.ts";

/** An input that does not fit: the model is told, and tries again. */
export class InvalidInput extends Error {
  /** Always `InvalidInput`. */
  override name = "InvalidInput";
}

/** A text that has to be there. */
export function requiredText(input: unknown, name: string): string {
  const value = objectOf(input)[name];
  if (typeof value === "string") return value;
  throw new InvalidInput(
    `Invalid input: "${name}" is ${value === undefined ? "absent" : "no string"}`,
  );
}

/** A whole number within limits, or the default where there is none. */
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
  throw new InvalidInput(`Invalid input: "${name}" is no whole number from ${least}`);
}

/** The input's path; empty where it has none. */
export function pathIn(input: unknown): string {
  const { path } = objectOf(input);
  return typeof path === "string" ? path : "";
}

/** An absolute path. */
export function absolutePath(input: unknown, cwd: string): string {
  const path = requiredText(input, "path");
  if (path === "" || path.includes("\0")) {
    throw new InvalidInput('Invalid input: "path" is no path');
  }
  return resolve(cwd, path);
}

/** A path as it is shown: below the working directory where it lies there. */
export function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below === "" || below.startsWith("..") || isAbsolute(below) ? path : below;
}

/**
 * Whether a path leads out of the working directory, by symbolic links as well. What does not exist
 * yet lies where the nearest folder above it lies.
 */
export function leavesDirectory(path: string, cwd: string): boolean {
  const below = relative(realPath(resolve(cwd)), realPath(resolve(cwd, path)));
  return below === ".." || below.startsWith("../") || below.startsWith("..\\") || isAbsolute(below);
}

/** The path without links. Of what is not there, the nearest folder above it is without them. */
export function realPath(path: string): string {
  try {
    return realPathSync(path);
  } catch {
    // Not there, or not to be entered: what is above it decides. Where a link leads to nothing, a
    // write would make the file there: that is taken to be outside.
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

/** What a tool's work throws, as an outcome; bugs pass through as well: a chat does not end by them. */
export function failedOutcome(error: unknown, signal: AbortSignal): ToolOutcome {
  if (signal.aborted) return { status: "interrupted", error: "Interrupted by the user" };
  return { status: "error", error: error instanceof Error ? error.message : String(error) };
}
