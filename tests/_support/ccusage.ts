/** The program that usage is compared with, from npm. */
import { join } from "node:path";

/** The version that is compared with. */
export const CCUSAGE_VERSION = "20.0.24";

/** Its executable, installed below the temporary folder; undefined, and said, where it cannot be had. */
export async function installCcusage(): Promise<string | undefined> {
  const cpu = Deno.build.arch === "x86_64" ? "x64" : "arm64";
  const name = `@ccusage/ccusage-${Deno.build.os === "windows" ? "win32" : Deno.build.os}-${cpu}`;
  const folder = join(Deno.env.get("TMPDIR") ?? "/tmp", `reprise-ccusage-${CCUSAGE_VERSION}`);
  const program = join(folder, "node_modules", name, "bin", "ccusage");
  try {
    const wanted = `${name}@${CCUSAGE_VERSION}`;
    const args = ["install", "--prefix", folder, "--no-save", "--no-audit", wanted];
    if (!isThere(program)) {
      await new Deno.Command("npm", { args, stdout: "null", stderr: "null" }).output();
    }
    Deno.chmodSync(program, 0o755);
    return program;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    Deno.stderr.writeSync(new TextEncoder().encode(`skipped: no ${name}: ${reason}\n`));
    return undefined;
  }
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    // Not installed yet.
    return false;
  }
}
