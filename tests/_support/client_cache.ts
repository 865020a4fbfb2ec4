/**
 * The folder of packages from npm, and of what their programs made, which runs share. Each entry is
 * filled once: another run waits for it, and later no run writes to it.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the folder, which lies outside of the project. */
export function cacheFolder(): string {
  return Deno.env.get("REPRISE_CLIENTS_CACHE") ??
    join(Deno.env.get("TMPDIR") ?? "/tmp", "reprise-clients");
}

/** Returns the folder of an entry. Fills it if no run did so to the end. */
export async function cached(
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder(), name);
  const filled = `${folder}.filled`;
  mkdirSync(join(folder, ".."), { recursive: true });
  using lock = Deno.openSync(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (existsSync(filled)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  await fill(folder);
  writeFileSync(filled, "");
  return folder;
}

/** Installs packages; returns their folder, or undefined, and says so, where npm cannot be reached. */
export async function installed(
  name: string,
  packages: readonly string[],
  flags: readonly string[] = [],
): Promise<string | undefined> {
  const options = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  try {
    return await cached(name, async (folder) => {
      const args = ["install", "--prefix", folder, ...options, ...flags, ...packages];
      const { success, stderr } = await new Deno.Command("npm", { args, stdin: "null" }).output();
      if (!success) throw new Error(new TextDecoder().decode(stderr));
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    Deno.stderr.writeSync(new TextEncoder().encode(`skipped: no ${packages[0]}: ${reason}\n`));
    return undefined;
  }
}
