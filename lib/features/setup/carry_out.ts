/** Carries out a step of a setup. */
import { existsSync } from "node:fs";
import { draftPath } from "../../core/file/draft_file.ts";
import { isThere } from "../../core/file/presence.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { basename, dirname, join } from "node:path";
import { readShortFile, RECORDS_BYTES } from "../../core/file/short_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readDirSync,
  realPathSync,
  removeSync,
  renameSync,
  statSync,
  writeTextFileSync,
} from "../../core/platform/files.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import { copyPath, type SetupStep } from "./plan_setup.ts";
import { notUnderstood } from "./settings/settings_text.ts";
import type { CommandLine } from "./setup_item.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns an agent's settings, or undefined if there is no file. */
export function readSetupText(path: string): string | undefined {
  try {
    return decoder.decode(readShortFile(path, RECORDS_BYTES, { what: "settings" }));
  } catch (error) {
    if (isNotFound(error)) {
      if (!isThere(path)) return undefined;
      throw notUnderstood("the settings file is a link to a file that does not exist");
    }
    if (error instanceof TypeError) throw notUnderstood("the settings file is not UTF-8");
    throw toSessionError(error, "read", path);
  }
}

/**
 * Carries out a step.
 *
 * @param run Runs a program; rejects if the program fails.
 * @throws {SessionError} `permission`, `disk-full`, `io`
 */
export async function carryOut(
  step: SetupStep,
  run: (command: CommandLine) => Promise<void>,
): Promise<void> {
  const command = "command" in step ? step.command : undefined;
  if (command !== undefined && step.action !== "write") await run(command);
  let copy: string | undefined;
  try {
    copy = change(step);
  } catch (error) {
    throw toSessionError(error, "change", step.path);
  }
  if (command === undefined || step.action !== "write") return;
  try {
    await run(command);
  } catch (error) {
    // Else the file would count as installed, and nothing would start it again.
    if (copy !== undefined) renameSync(copy, step.path);
    else removeSync(step.path);
    removeLinks(step.path);
    throw error;
  }
}

/** Changes the file of a step. Returns the path of the copy that was made, if any. */
function change(step: SetupStep): string | undefined {
  switch (step.action) {
    case "write": {
      const copy = step.copy ? makeCopy(step.path) : undefined;
      replace(step.path, step.text, step.shared ? 0o644 : 0o600);
      return copy;
    }
    case "restore":
      replace(step.path, step.text, 0o600);
      removeSync(step.copy);
      break;
    case "delete":
      removeSync(step.path);
      removeLinks(step.path);
      if (step.folder) removeQuietly(dirname(step.path));
  }
  return undefined;
}

/** Copies a file to the first name that is free: nothing is replaced, and no link followed. */
function makeCopy(path: string): string {
  let number = 1;
  while (isThere(copyPath(path, number))) number++;
  const copy = copyPath(path, number);
  const draft = draftPath(copy);
  try {
    copyFileSync(path, draft);
    renameSync(draft, copy);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
  return copy;
}

/** Removes links by which systemd starts a unit. Systemd makes them even if it then fails. */
function removeLinks(unit: string): void {
  if (!unit.endsWith(".service")) return;
  const folder = dirname(unit);
  for (const { name, isDirectory } of readDirSync(folder)) {
    if (!isDirectory || !name.endsWith(".wants")) continue;
    const link = join(folder, name, basename(unit));
    if (!isThere(link) || !lstatSync(link).isSymlink || existsSync(link)) continue;
    removeQuietly(link);
    removeQuietly(dirname(link));
  }
}

/** Replaces a file's text. The file keeps its mode, and a link stays a link. */
function replace(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  let [real, kept] = [path, mode];
  try {
    real = realPathSync(path);
    kept = statSync(real).mode ?? mode;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const draft = draftPath(real);
  try {
    writeTextFileSync(draft, text, { mode: kept & 0o777, createNew: true });
    renameSync(draft, real);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
}
