/**
 * Executables made as `.ci/compile` makes them.
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);

/** The flags of V8 that `.ci/compile` sets. */
export function v8Flags(): readonly string[] {
  const recipe = Deno.readTextFileSync(new URL(".ci/compile", ROOT));
  return /--v8-flags=(\S+)/.exec(recipe)?.[1]?.split(",") ?? [];
}

function run(command: string, args: readonly string[], env: Record<string, string> = {}): string {
  const { success, stdout } = new Deno.Command(command, {
    args: [...args],
    env,
    cwd: fileURLToPath(ROOT),
    stderr: "inherit",
  }).outputSync();
  assert.ok(success, `${command} ${args.join(" ")} failed`);
  return new TextDecoder().decode(stdout).trim();
}

/** Where the runtime to compile with comes from, where Deno's release host cannot be reached. */
function runtimeVariables(): Record<string, string> {
  const tool = new URL("../shared/tools/denort", ROOT);
  if (Deno.env.get("DENORT_BIN") !== undefined) return {};
  try {
    Deno.statSync(tool);
  } catch {
    // Not there: Deno fetches its runtime itself.
    return {};
  }
  return { DENORT_BIN: run(fileURLToPath(tool), []) };
}

/**
 * Bundles and compiles a program.
 *
 * @param entry Path of its main module.
 * @param directory Where bundle and executable go.
 * @returns Path of the executable.
 */
export function compileProgram(entry: string, directory: string): string {
  const name = basename(entry).replace(/\.[jt]s$/, "");
  const bundle = join(directory, `${name}_bundle`);
  const executable = join(directory, Deno.build.os === "windows" ? `${name}.exe` : name);
  const flags = v8Flags();
  run(Deno.execPath(), ["bundle", "--quiet", "--code-splitting", "--outdir", bundle, entry]);
  run(
    Deno.execPath(),
    [
      "compile",
      ...["--quiet", "--no-config", "--no-lock", "--no-check", "-A"],
      ...(flags.length === 0 ? [] : [`--v8-flags=${flags.join(",")}`]),
      ...["-o", executable, join(bundle, `${name}.js`)],
    ],
    runtimeVariables(),
  );
  return executable;
}
