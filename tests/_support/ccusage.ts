/** The program that usage is compared with, from npm. */
import { join } from "node:path";
import { installed } from "./client_cache.ts";

/** The version that is compared with. */
export const CCUSAGE_VERSION = "20.0.24";

/** Returns its executable; undefined where npm cannot be reached. */
export async function installCcusage(): Promise<string | undefined> {
  const cpu = Deno.build.arch === "x86_64" ? "x64" : "arm64";
  const name = `@ccusage/ccusage-${Deno.build.os === "windows" ? "win32" : Deno.build.os}-${cpu}`;
  const folder = await installed(`ccusage-${CCUSAGE_VERSION}`, [`${name}@${CCUSAGE_VERSION}`]);
  if (folder === undefined) return undefined;
  const program = join(folder, "node_modules", name, "bin", "ccusage");
  Deno.chmodSync(program, 0o755);
  return program;
}
