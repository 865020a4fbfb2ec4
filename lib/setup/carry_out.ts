/** Carries out a step of a setup. */
import { removeQuietly } from "../file/remove_quietly.ts";
import { dirname } from "node:path";
import { readShortFile, RECORDS_BYTES } from "../file/short_file.ts";
import { toSessionError } from "../log/io_error.ts";
import {
  copyFileSync,
  mkdirSync,
  realPathSync,
  removeSync,
  renameSync,
  statSync,
  writeTextFileSync,
} from "../platform/files.ts";
import { isNotFound } from "../platform/system_error.ts";
import { COPY, type SetupStep } from "./plan_setup.ts";
import { notUnderstood } from "./settings/settings_text.ts";
import type { CommandLine } from "./setup_item.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a text whole; see {@linkcode ReadText}. Some agents keep a history in their settings. */
export function readSetupText(path: string): string | undefined {
  try {
    return decoder.decode(readShortFile(path, RECORDS_BYTES, { what: "settings" }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    if (error instanceof TypeError) throw notUnderstood("they are no UTF-8");
    throw toSessionError(error, "read", path);
  }
}

/**
 * Carries out a step.
 *
 * @param run Runs a program; rejects where it fails.
 * @throws {SessionError} `permission`, `disk-full`, `io`
 */
export async function carryOut(
  step: SetupStep,
  run: (command: CommandLine) => Promise<void>,
): Promise<void> {
  const command = "command" in step ? step.command : undefined;
  if (command !== undefined && step.action !== "write") await run(command);
  try {
    change(step);
  } catch (error) {
    throw toSessionError(error, "change", step.path);
  }
  if (command === undefined || step.action !== "write") return;
  try {
    await run(command);
  } catch (error) {
    // Else the file would count as installed, and nothing would start it again.
    if (step.copy) renameSync(step.path + COPY, step.path);
    else removeSync(step.path);
    throw error;
  }
}

function change(step: SetupStep): void {
  switch (step.action) {
    case "write":
      if (step.copy) copyFileSync(step.path, step.path + COPY);
      return replace(step.path, step.text, step.shared ? 0o644 : 0o600);
    case "restore":
      replace(step.path, step.text, 0o600);
      return removeSync(step.path + COPY);
    case "delete":
      removeSync(step.path);
      if (step.folder) removeQuietly(dirname(step.path));
  }
}

/** Puts a text in the place of a file, which keeps its mode. A link stays a link. */
function replace(path: string, text: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  let [real, kept] = [path, mode];
  try {
    real = realPathSync(path);
    kept = statSync(real).mode ?? mode;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const draft = `${real}.${crypto.randomUUID()}.tmp`;
  try {
    writeTextFileSync(draft, text, { mode: kept & 0o777, createNew: true });
    renameSync(draft, real);
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
}
