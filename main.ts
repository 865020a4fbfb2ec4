/**
 * The `reprise` executable.
 *
 * @module
 */
import configuration from "./deno.json" with { type: "json" };
import { exitProcess, programArguments } from "./lib/platform/process.ts";
import { standardOutput } from "./lib/platform/standard_streams.ts";

const { version } = configuration;

/** Prints the version without loading anything for it; false where something else is asked for. */
function printedVersion([word = "", ...more]: readonly string[]): boolean {
  if (more.length > 0 || !["--version", "-v", "-V"].includes(word)) return false;
  try {
    return standardOutput().writeSync(new TextEncoder().encode(`${version}\n`)) > 0;
  } catch {
    // Nobody reads it, or the disk is full: the long way tells.
    return false;
  }
}

if (import.meta.main && !printedVersion(programArguments())) {
  const { runProcess } = await import("./commands/_run.ts");
  // Left by itself, the process would wait for a read of standard input that nobody needs any more.
  exitProcess(await runProcess(version));
}
