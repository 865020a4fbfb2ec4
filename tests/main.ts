/**
 * Runs the tests: `main.ts [ARGUMENT…]`, with arguments for `deno test` in place of all tests. Bundles
 * the program once for all tests that start it, unless `$REPRISE_BIN` names an executable to start.
 */
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../.ci/program_bundle.ts";
import { LeftOut } from "./_support/left_out.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const ALL = ["--doc", "--ignore=tests/bench", "mod.ts", "lib", "tests"];
const FLAGS = ["--lock=tests/deno.lock", "--frozen", "-A", "--no-check", "--parallel"];

/** Runs `deno test`; passes on its output, and returns its exit status. */
async function runTests(args: readonly string[], bundle: string | undefined): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", ...FLAGS, ...args],
    cwd: ROOT,
    env: {
      // While a job waits for a process or a terminal, another has the core.
      DENO_JOBS: `${navigator.hardwareConcurrency + 2}`,
      DENO_TLS_CA_STORE: Deno.env.get("DENO_TLS_CA_STORE") ?? "system,mozilla",
      TZ: "UTC",
      ...(bundle === undefined ? {} : { REPRISE_BUNDLE: bundle }),
    },
    stdout: "piped",
  }).spawn();
  const left_out = new LeftOut();
  await child.stdout.pipeThrough(left_out.stream()).pipeTo(Deno.stdout.writable, {
    preventClose: true,
  });
  const { code } = await child.status;
  const summary = left_out.summary();
  if (summary !== "") Deno.stdout.writeSync(new TextEncoder().encode(`${summary}\n`));
  return code;
}

const args = Deno.args.length === 0 ? ALL : Deno.args;
const folder = Deno.env.has("REPRISE_BIN") ? undefined : await Deno.makeTempDir();
let status: number;
try {
  status = await runTests(args, folder === undefined ? undefined : await bundleProgram(folder));
} finally {
  if (folder !== undefined) await Deno.remove(folder, { recursive: true });
}
Deno.exit(status);
