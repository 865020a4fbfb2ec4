/** The npm package, installed with the runtimes of npm that it is for. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "./source_code.ts";

const NODE = "22.23.3";
const BUN = "1.4.5";

/** A runtime, and how it is started. */
export interface InstalledRuntime {
  name: "node" | "bun";
  program: string;
}

/** What was installed. */
export interface InstalledPackage {
  folder: string;
  tarball_bytes: number;
  runtimes: InstalledRuntime[];
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

async function install(): Promise<InstalledPackage> {
  const root = fileURLToPath(ROOT);
  await runTool(Deno.execPath(), ["run", "-A", "--lock=deno.lock", "--frozen", ".ci/npm.ts"], root);
  const folder = join(Deno.env.get("TMPDIR") ?? "/tmp", `reprise-runtimes-${NODE}-${BUN}`);
  Deno.mkdirSync(folder, { recursive: true });
  const pack = ["pack", join(root, "dist", "npm"), "--pack-destination", folder, "--json"];
  const [packed] = JSON.parse(await runTool("npm", pack, folder)) as { filename: string }[];
  const tarball = join(folder, packed?.filename ?? "");
  Deno.writeTextFileSync(join(folder, "package.json"), '{"private":true}\n');
  const wanted = [`node@${NODE}`, `bun@${BUN}`, tarball];
  const args = ["install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline", ...wanted];
  await runTool("npm", args, folder);
  const modules = join(folder, "node_modules");
  return {
    folder,
    tarball_bytes: Deno.statSync(tarball).size,
    runtimes: [
      { name: "node", program: join(modules, "node", "bin", "node") },
      { name: "bun", program: join(modules, "bun", "bin", "bun.exe") },
    ],
    command: join(modules, "@reprise", "reprise", "bin", "reprise.js"),
  };
}
