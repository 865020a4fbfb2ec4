/**
 * Runs the tests: `main.ts [PATH | FLAG]…`, with files or folders in place of all, and flags for
 * `deno test`. Bundles the program once for all tests that start it, unless `$REPRISE_BUNDLE` names
 * the main file of a bundle, or `$REPRISE_BIN` an executable. With `--full-size`, the tests that need their size, and no others.
 */
import { fileURLToPath } from "node:url";
import { bundleProgram } from "../.ci/program_bundle.ts";
import {
  chosenFiles,
  type TestArguments,
  testArguments,
  UnknownTests,
} from "./_support/test_arguments.ts";
import { joinJunit, junitFlags } from "./_support/junit_report.ts";
import { DISK_VARIABLE, makeMemoryFolder } from "./_support/memory_folder.ts";
import { TERMINAL_CACHES } from "./_support/terminal_caches.ts";
import { testEnvironment } from "./_support/test_environment.ts";
import { endServers, SERVERS_VARIABLE } from "./_support/postgres.ts";
import {
  exampleFiles,
  filesOfTasks,
  type TestFile,
  testFiles,
  writeGroups,
} from "./_support/test_groups.ts";
import { TestReport } from "./_support/test_report.ts";
import { ALL_TORTURE } from "./_support/torture.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** While a job waits for a process or a terminal, another has the core. More would load more. */
const JOBS = Number(Deno.env.get("DENO_JOBS") ?? navigator.hardwareConcurrency + 1);
/** A job gets one group: each loads and compiles the library anew. */
const GROUPS = JOBS;
/** Packages are downloaded where they are imported: those of one test do not hold up all others. */
const FLAGS = [
  ...["--unstable-npm-lazy-caching", "--lock=tests/deno.lock", "--frozen"],
  ...["-A", "--no-check", "--parallel"],
];

/** Signals that end the runner, and the tests with it. */
const ENDING: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Bundles the program into a folder, and then makes a file for which tests wait; else ends them. */
async function bundleFor(folder: string, made: string, end: () => void): Promise<void> {
  try {
    await bundleProgram(folder);
    await Deno.writeTextFile(made, "");
  } catch (error) {
    end();
    throw error;
  }
}

/** How a process ended, and what it printed on standard error. */
interface Run {
  code: number;
  errors: string;
}

function endProcess(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Runs files in groups; prints what came of it, and returns the exit status. */
async function runFiles(
  files: readonly TestFile[],
  { flags, full_size, junit }: TestArguments,
  folder: string,
  memory: string | undefined,
): Promise<number> {
  // Without files, `deno test` would take all that it finds.
  if (files.length === 0) {
    print("No such tests");
    return 0;
  }
  const variables = testEnvironment(Deno.env.toObject());
  const servers = `${folder}/servers`;
  Deno.mkdirSync(servers);
  const given = Deno.env.get("REPRISE_BUNDLE");
  const is_bundled = given === undefined && !Deno.env.has("REPRISE_BIN");
  const bundle = is_bundled ? `${folder}/main.js` : given;
  const made = is_bundled ? `${folder}/bundled` : undefined;
  const children = writeGroups(folder, files, GROUPS, made).map((modules, at) =>
    new Deno.Command(Deno.execPath(), {
      args: ["test", ...FLAGS, ...flags, ...junitFlags(folder, at, junit), ...modules],
      cwd: ROOT,
      clearEnv: true,
      env: {
        DENO_TLS_CA_STORE: "system,mozilla",
        ...variables,
        ...(memory === undefined ? {} : { TMPDIR: memory, [DISK_VARIABLE]: folder }),
        ...(full_size ? { REPRISE_SIZES: "full" } : {}),
        // With one job, `deno test` tells no file from another.
        DENO_JOBS: "2",
        TZ: "UTC",
        [SERVERS_VARIABLE]: servers,
        ...(is_bundled ? { [TERMINAL_CACHES]: `${folder}/deno` } : {}),
        ...(bundle === undefined ? {} : { REPRISE_BUNDLE: bundle }),
      },
      stdout: "piped",
      stderr: "piped",
    }).spawn()
  );
  // The tests set handlers of signals, so that only this one ends them for certain.
  const end = (): void => children.forEach(endProcess);
  for (const signal of ENDING) Deno.addSignalListener(signal, end);
  const report = new TestReport(files.length, print);
  const runs = children.map(async ({ stdout, stderr, status }): Promise<Run> => {
    const [, errors, { code }] = await Promise.all([
      report.read(stdout),
      new Response(stderr).text(),
      status,
    ]);
    if (code !== 0 && flags.some((flag) => flag.startsWith("--fail-fast"))) end();
    return { code, errors };
  });
  let ended: Run[];
  try {
    // The tests wait for the bundle, once they are loaded.
    const bundled = made === undefined ? undefined : bundleFor(folder, made, end);
    [ended] = await Promise.all([Promise.all(runs), bundled]);
  } finally {
    for (const signal of ENDING) Deno.removeSignalListener(signal, end);
    endServers(servers);
  }
  const had_tests = report.end();
  if (junit !== undefined) joinJunit(folder, children.length, junit);
  const failed = ended.filter(({ code }) => code !== 0);
  if (failed.length === 0) return had_tests ? 0 : 2;
  // A worker that a test kills prints its error. Only where something failed may it be the reason.
  const errors = failed.map((run) => run.errors.trimEnd()).join("\n");
  print(`\nErrors that processes printed meanwhile:\n${errors}`);
  return failed[0]?.code ?? 1;
}

/** Runs what the arguments name; returns the exit status. */
async function main(args: readonly string[]): Promise<number> {
  const folder = await Deno.makeTempDir();
  const wanted = testArguments(args);
  const { paths, full_size } = wanted;
  // Whoever names a folder wants that one. What needs its size, and every kill, is tried on a disk.
  const on_disk = full_size || ALL_TORTURE || Deno.env.has("TMPDIR");
  const memory = on_disk ? undefined : makeMemoryFolder();
  try {
    const examples = paths.length === 0 && !full_size ? exampleFiles(folder) : [];
    const files = [...testFiles(), ...filesOfTasks(paths), ...examples];
    const sized = full_size ? files.filter(({ has_size }) => has_size) : files;
    return await runFiles(chosenFiles(paths, sized), wanted, folder, memory);
  } catch (error) {
    if (!(error instanceof UnknownTests)) throw error;
    print(error.message);
    return 2;
  } finally {
    await Deno.remove(folder, { recursive: true });
    if (memory !== undefined) await Deno.remove(memory, { recursive: true });
  }
}

Deno.exit(await main(Deno.args));
