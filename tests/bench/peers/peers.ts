/** The programs that Reprise is measured beside, at pinned versions from npm; ripgrep from the system. */
import { fileURLToPath } from "node:url";
import { installCcusage } from "../../_support/ccusage.ts";
import { install, NODE } from "../../clients/resume/npm_client.ts";
import { AppServer } from "./app_server.ts";

/** What one run took. */
export interface Sample {
  ms: number;
  /** Bytes that the process held at most; undefined where it was not measured. */
  peak_memory?: number | undefined;
  /** Messages or sessions; undefined where the program only prints. */
  count?: number;
}

const LOAD = fileURLToPath(new URL("peer_load.mjs", import.meta.url));
const ENTRIES = {
  sdk: ["@anthropic-ai/claude-agent-sdk", "0.3.330", "sdk.mjs"],
  pi73: ["@mariozechner/pi-coding-agent", "0.73.1", "dist/index.js"],
  pi87: ["@earendil-works/pi-coding-agent", "0.87.1", "dist/index.js"],
} as const;

/** A package that is loaded as a library. */
export type LibraryPeer = keyof typeof ENTRIES;

/** Name and version, as the table has it. */
export function peerName(peer: LibraryPeer): string {
  const [name, version] = ENTRIES[peer];
  return `${name}@${version}`;
}

async function installed(name: string, version: string): Promise<string> {
  const folder = await install(name, version);
  if (folder === undefined) throw new Error(`Cannot install ${name}@${version} from npm`);
  return `${folder}/node_modules`;
}

/** Runs a task of `peer_load.mjs` in a home. */
export async function loadByPeer(
  peer: LibraryPeer,
  task: string,
  home: string,
  ...args: string[]
): Promise<Sample> {
  const [name, version, file] = ENTRIES[peer];
  const node = `${await installed("node", NODE)}/node/bin/node`;
  const entry = `${await installed(name, version)}/${name}/${file}`;
  const { success, stdout } = await new Deno.Command(node, {
    args: [LOAD, task, entry, ...args],
    clearEnv: true,
    env: { HOME: home, PATH: "/usr/bin:/bin", PI_OFFLINE: "1" },
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot measure ${name}: ${task} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Reads a thread by Codex's app-server. */
export async function readByCodex(home: string, id: string): Promise<Sample> {
  const modules = await installed("@openai/codex", "0.169.0");
  return await AppServer.readThread(nativeCodex(modules), home, id);
}

/** The program itself: the script that starts it would be measured in its place. */
function nativeCodex(modules: string): string {
  const [arch, target] = Deno.build.arch === "x86_64" ? ["x64", "x86_64"] : ["arm64", "aarch64"];
  const vendor = `${modules}/@openai/codex-linux-${arch}/vendor/${target}-unknown-linux-musl`;
  return `${vendor}/bin/codex`;
}

/** Path of ccusage. */
export async function ccusage(): Promise<string> {
  const program = await installCcusage();
  if (program === undefined) throw new Error("Cannot install ccusage from npm");
  return program;
}
