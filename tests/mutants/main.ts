/**
 * Do the tests notice when a safety is taken away? `deno task mutants [TEXT]…` copies the repository,
 * changes one place at a time, and runs the tests that should fail; with texts only mutants whose name
 * has one of them. Exits with 1 when a mutant survives.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Mutant, readMutants, withChange } from "./mutant.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FLAGS = ["-A", "--no-check", "--parallel", "--fail-fast"];
/** All that is to pass before. */
const WHOLE_MS = 15 * 60_000;
/** A mutant that never ends is noticed too. */
const MUTANT_MS = 3 * 60_000;

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Copies what the repository holds, whatever was committed of it. */
function copyRepository(to: string): void {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { success, stdout } = new Deno.Command("git", { args, cwd: ROOT }).outputSync();
  assert.ok(success, "the repository is to be listed by git");
  for (const name of new TextDecoder().decode(stdout).split("\0")) {
    if (name === "" || !isThere(join(ROOT, name))) continue;
    Deno.mkdirSync(dirname(join(to, name)), { recursive: true });
    Deno.copyFileSync(join(ROOT, name), join(to, name));
  }
}

function isThere(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    // Removed, and not committed yet.
    return false;
  }
}

/** What tests say, and whether they pass. */
async function runTests(
  directory: string,
  tests: readonly string[],
  most_ms: number,
): Promise<{ success: boolean; said: string }> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--lock=tests/deno.lock", "--frozen", ...FLAGS, ...tests],
    cwd: directory,
    env: { NO_COLOR: "1" },
    signal: AbortSignal.timeout(most_ms),
    stderr: "null",
  }).output();
  return { success, said: new TextDecoder().decode(stdout) };
}

async function survives(directory: string, mutant: Mutant): Promise<boolean> {
  const path = join(directory, mutant.file);
  const whole = Deno.readTextFileSync(path);
  try {
    Deno.writeTextFileSync(path, withChange(whole, mutant));
    return (await runTests(directory, mutant.tests, MUTANT_MS)).success;
  } finally {
    Deno.writeTextFileSync(path, whole);
  }
}

async function run(wanted: readonly Mutant[], directory: string): Promise<Mutant[]> {
  copyRepository(directory);
  for (const mutant of wanted) {
    withChange(Deno.readTextFileSync(join(directory, mutant.file)), mutant);
  }
  const tests = [...new Set(wanted.flatMap((mutant) => mutant.tests))];
  const { success, said } = await runTests(directory, tests, WHOLE_MS);
  assert.ok(success, `the tests are to pass before anything is changed:\n${said.slice(-4000)}`);
  const surviving: Mutant[] = [];
  for (const mutant of wanted) {
    const survived = await survives(directory, mutant);
    if (survived) surviving.push(mutant);
    print(`${survived ? "SURVIVED" : "noticed "}  ${mutant.name}`);
  }
  return surviving;
}

if (import.meta.main) {
  const wanted = readMutants().filter(({ name }) =>
    Deno.args.length === 0 || Deno.args.some((text) => name.includes(text))
  );
  const directory = Deno.makeTempDirSync({ prefix: "reprise_mutants_" });
  // Some tests run as another user.
  Deno.chmodSync(directory, 0o755);
  try {
    const surviving = await run(wanted, directory);
    print(`${wanted.length} mutants, ${surviving.length} survived`);
    if (surviving.length > 0) Deno.exitCode = 1;
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}
