/**
 * Executables, made as they are for users: by `.ci/compile`.
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const RECIPE = new URL("../../.ci/compile", import.meta.url);

/** The flags of V8 that an executable is made with. */
export function v8Flags(): readonly string[] {
  return /--v8-flags=(\S+)/.exec(Deno.readTextFileSync(RECIPE))?.[1]?.split(",") ?? [];
}

/**
 * Bundles and compiles a program.
 *
 * @param directory Where bundle and executable go.
 * @param program Path of its main module; by default, Reprise.
 * @returns Path of the executable.
 */
export function compileProgram(directory: string, program = "main.ts"): string {
  const { success } = new Deno.Command("bash", {
    args: [fileURLToPath(RECIPE), directory, program],
    env: { DENO: Deno.execPath() },
    stdout: "null",
    stderr: "inherit",
  }).outputSync();
  assert.ok(success, `compiling ${program} failed`);
  const name = program === "main.ts" ? "reprise" : basename(program, ".ts");
  return join(directory, Deno.build.os === "windows" ? `${name}.exe` : name);
}
