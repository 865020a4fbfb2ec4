/**
 * The `reprise` executable.
 *
 * @module
 */
import configuration from "./deno.json" with { type: "json" };

const { version } = configuration;

/** Prints the version without loading anything for it; false where something else is asked for. */
function printedVersion([flag, ...more]: readonly string[]): boolean {
  if (more.length > 0 || (flag !== "--version" && flag !== "-V")) return false;
  try {
    return Deno.stdout.writeSync(new TextEncoder().encode(`${version}\n`)) > 0;
  } catch {
    // Nobody reads it, or the disk is full: the long way tells.
    return false;
  }
}

if (import.meta.main && !printedVersion(Deno.args)) {
  const { runProcess } = await import("./commands/_process.ts");
  // Left by itself, the process would wait for a read of standard input that nobody needs any more.
  Deno.exit(await runProcess(version));
}
