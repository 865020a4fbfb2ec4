/** Runtimes from npm, and the npm package installed for them. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./source_code.ts";

const NODE = "22.23.3";
const BUN = "1.4.5";

/** A runtime, and how it is started. */
export interface InstalledRuntime {
  name: "node" | "bun";
  version: string;
  program: string;
}

/** A folder with runtimes. */
export interface Installed {
  folder: string;
  runtimes: InstalledRuntime[];
}

/** The packages, smallest first: each needs those before it. */
export const PACKAGES = ["core", "library", "reprise"] as const;

/** What was installed. */
export interface InstalledPackage extends Installed {
  /** Bytes of the tarball of each package. */
  tarball_bytes: Record<typeof PACKAGES[number], number>;
  /** The main file of the command. */
  command: string;
}

let installed: Promise<InstalledPackage> | undefined;

/** Makes and installs the package once; throws where npm cannot be reached. */
export function installedPackage(): Promise<InstalledPackage> {
  return installed ??= install();
}

/** Runs a program in a folder, and throws what it said if it failed. */
export async function runTool(program: string, args: string[], cwd: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`${program} ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

const OPTIONS = ["--no-save", "--no-audit", "--no-fund", "--prefer-offline"];

/** Installs the runtimes with packages, by name and version; a folder that has them is left alone. */
export async function installRuntimes(
  packages: Readonly<Record<string, string>> = {},
): Promise<Installed> {
  const folder = join(Deno.env.get("TMPDIR") ?? "/tmp", `reprise-runtimes-${NODE}-${BUN}`);
  Deno.mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: { node: NODE, bun: BUN, ...packages } };
  Deno.writeTextFileSync(join(folder, "package.json"), JSON.stringify(manifest) + "\n");
  await runTool("npm", ["install", ...OPTIONS], folder);
  const modules = join(folder, "node_modules");
  return {
    folder,
    runtimes: [
      { name: "node", version: NODE, program: join(modules, "node", "bin", "node") },
      { name: "bun", version: BUN, program: join(modules, "bun", "bin", "bun.exe") },
    ],
  };
}

const KOFFI = "3.3.4";

/** Puts the core package beside koffi, in a folder of its own. Returns that folder. */
export function placeWithKoffi(): Promise<string> {
  return placeBeside("with-koffi", ["core"], [`koffi@${KOFFI}`]);
}

/** Puts packages of ours beside others, in a folder of their own. Returns that folder. */
export async function placeBeside(
  name: string,
  ours: readonly (typeof PACKAGES[number])[],
  others: readonly string[],
): Promise<string> {
  const { folder } = await installedPackage();
  const own = join(folder, name);
  const packages = join(own, "node_modules", "@reprise");
  Deno.mkdirSync(own, { recursive: true });
  Deno.writeTextFileSync(join(own, "package.json"), '{"private":true}\n');
  await runTool("npm", ["install", ...OPTIONS, ...others], own);
  Deno.mkdirSync(packages, { recursive: true });
  const placed = ours.map((one) => join(folder, "node_modules", "@reprise", one));
  await runTool("cp", ["-r", ...placed, packages], own);
  return own;
}

async function install(): Promise<InstalledPackage> {
  const root = fileURLToPath(ROOT);
  await runTool(
    Deno.execPath(),
    ["run", "-A", "--lock=tests/deno.lock", "--frozen", ".ci/npm.ts"],
    root,
  );
  const { folder, runtimes } = await installRuntimes();
  const tarballs = [];
  for (const name of PACKAGES) {
    const pack = ["pack", join(root, "dist", "npm", name), "--pack-destination", folder, "--json"];
    const [packed] = JSON.parse(await runTool("npm", pack, folder)) as { filename: string }[];
    tarballs.push(join(folder, packed?.filename ?? ""));
  }
  await runTool("npm", ["install", ...OPTIONS, ...tarballs], folder);
  const [core = 0, library = 0, reprise = 0] = tarballs.map((path) => Deno.statSync(path).size);
  return {
    folder,
    tarball_bytes: { core, library, reprise },
    runtimes,
    command: join(folder, "node_modules", "@reprise", "reprise", "bin", "reprise.js"),
  };
}
