/**
 * Runs the tests: `main.ts [ARGUMENT…]`, with arguments for `deno test` in place of all tests. Bundles
 * the program once for all tests that start it, unless `$REPRISE_BIN` names an executable to start.
 */
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../.ci/program_bundle.ts";
import { LeftOut } from "./_support/left_out.ts";
import { writeGroups } from "./_support/test_groups.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** While a job waits for a process or a terminal, another has the core. */
const JOBS = navigator.hardwareConcurrency + 2;
const FLAGS = ["--lock=tests/deno.lock", "--frozen", "-A", "--no-check", "--parallel"];

/** Runs `deno test`; passes on its output, and returns its exit status. */
async function runTests(args: readonly string[], bundle: string | undefined): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["test", ...FLAGS, ...args],
    cwd: ROOT,
    env: {
      DENO_JOBS: `${JOBS}`,
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

/** A job gets several groups, so that none is long alone at the end. */
const GROUPS = 8 * JOBS;

const folder = await Deno.makeTempDir();
let status: number;
try {
  const bundle = Deno.env.has("REPRISE_BIN") ? undefined : await bundleProgram(folder);
  status = await runTests(Deno.args.length === 0 ? writeGroups(folder, GROUPS) : Deno.args, bundle);
} finally {
  await Deno.remove(folder, { recursive: true });
}
Deno.exit(status);
