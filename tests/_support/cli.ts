/**
 * The real program in a world of its own: a temporary home and store, known variables and nothing
 * else. `$REPRISE_BIN` names an executable to test in place of `main.ts`.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How to run the program. */
export interface CliOptions {
  /** Home directory; the store is in `store` below it. */
  home: string;
  /** @default {the home directory} */
  cwd?: string;
  /** @default {nothing to read} */
  stdin?: string | Uint8Array<ArrayBuffer>;
  /** Over the known variables; undefined takes one away. */
  env?: Record<string, string | undefined>;
  /** Ends the program when it is aborted. */
  signal?: AbortSignal;
}

/** How the program ended. */
export interface CliResult {
  status: number;
  stdout: string;
  stderr: string;
}

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const LOCK = fileURLToPath(new URL("../../deno.lock", import.meta.url));
const decoder = new TextDecoder();

/** Variables of the tests' own process that the program cannot do without. */
const PASSED_ON = [
  ...["PATH", "SystemRoot", "TEMP", "TMP"],
  // Where packages come from that are not in the cache yet.
  ...["DENO_TLS_CA_STORE", "NPM_CONFIG_REGISTRY", "HTTPS_PROXY", "NO_PROXY"],
];

function denoDirectory(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(decoder.decode(stdout)).denoDir;
}

let denoDir: string | undefined;

/** The whole environment of the program. */
export function cliEnvironment({ home, env = {} }: CliOptions): Record<string, string> {
  const known = {
    ...Object.fromEntries(PASSED_ON.map((name) => [name, Deno.env.get(name)])),
    DENO_DIR: denoDir ??= Deno.env.get("DENO_DIR") ?? denoDirectory(),
    DENO_NO_UPDATE_CHECK: "1",
    HOME: home,
    USERPROFILE: home,
    REPRISE_HOME: join(home, "store"),
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    ...env,
  };
  const set = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  return Object.fromEntries(set);
}

/** The words that start the program, as a shell's command line begins. */
export function cliCommand(): string[] {
  const binary = Deno.env.get("REPRISE_BIN");
  return binary === undefined
    ? [Deno.execPath(), "run", "--quiet", `--lock=${LOCK}`, "-A", MAIN]
    : [binary];
}

/** The program as a command, its streams piped. */
export function cliProcess(args: readonly string[], options: CliOptions): Deno.Command {
  const [program = "", ...before] = cliCommand();
  return new Deno.Command(program, {
    args: [...before, ...args],
    cwd: options.cwd ?? options.home,
    env: cliEnvironment(options),
    clearEnv: true,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** Processes at a time: the cores are shared. */
const MOST_RUNNING = 4;
let running = 0;
const waiting: (() => void)[] = [];

/** Runs the program to its end. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  while (running >= MOST_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    const child = cliProcess(args, options).spawn();
    if (options.stdin !== undefined) await feed(child.stdin, options.stdin);
    const { code, stdout, stderr } = await child.output();
    return { status: code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    running--;
    waiting.shift()?.();
  }
}

async function feed(
  stream: WritableStream<Uint8Array<ArrayBuffer>>,
  input: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  try {
    await new Blob([bytes]).stream().pipeTo(stream);
  } catch (error) {
    // The program may end before it has read everything.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** The objects of JSON Lines. */
export function jsonLines<Item = Record<string, unknown>>(text: string): Item[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
