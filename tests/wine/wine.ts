/**
 * `deno task test:wine`: what the program and its tests do on Windows, as far as Wine shows it.
 * `REPRISE_WINE` names a folder outside of any repository; an empty one is filled, in ten minutes and
 * two gigabytes. With paths, runs these test files alone; with `commands`, no test files.
 */
import { bundleProgram } from "../../.ci/program_bundle.ts";
import { testFiles, writeGroups } from "../_support/test_groups.ts";
import { ROOT } from "../_support/source_code.ts";
import { type FileResult, fileResults } from "./file_results.ts";
import { DAILY_COMMANDS, HOME, PROJECT } from "./daily_commands.ts";
import { expectedOutputs, type Printed, sameOutputs, WINDOWS_HOME } from "./daily_home.ts";
import { LEFT_OUT } from "./left_out.ts";
import { testFilesIn, WineMachine } from "./machine.ts";

const FOLDERS = ["tests/core/", "tests/agents/", "tests/library/"];
/** A group loads what its files import once; a file that ends the process costs the others little. */
const GROUP_SIZE = 24;
const GROUP_SECONDS = 400;
/** How `timeout` ends. */
const TIME_OVER: ReadonlySet<number> = new Set([124, 137]);
const PROGRAM = ["run", "-A", "--quiet", "--no-config", "--no-lock", "Z:\\program\\main.js"];
const FLAGS = ["-A", "--no-check", "--no-lock", "--cached-only"];

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Runs files until each has ended, or ended the process. */
async function runFiles(machine: WineMachine, paths: readonly string[]): Promise<FileResult[]> {
  const known = new Map(testFiles().map((file) => [file.path, file]));
  const results: FileResult[] = [];
  let rest = [...paths];
  while (rest.length > 0) {
    const group = rest.slice(0, GROUP_SIZE);
    const files = group.flatMap((path) => {
      const file = known.get(path);
      const at = `file:///Z:/src/${path}`;
      return file === undefined ? [] : [{ ...file, alone: false, url: at }];
    });
    const folder = machine.at("/src/tests/_support");
    const written = writeGroups(folder, files, 1)[0]?.[0] ?? "";
    const text = Deno.readTextFileSync(written)
      .replaceAll(new URL("./", ROOT).href, "file:///Z:/src/");
    Deno.writeTextFileSync(written, text);
    const seconds = group.length === 1 ? 90 : GROUP_SECONDS;
    const run = await machine.deno(["test", ...FLAGS, "tests/_support/tests_1.ts"], { seconds });
    const found = fileResults(run.stdout);
    // Its time ended with the group's: it begins the next one.
    if (found.length > 1 && TIME_OVER.has(run.status)) found.pop();
    if (found.length === 0) {
      found.push({ path: group[0] ?? "", passed: 0, failed: [run.stderr], ended: false });
    }
    for (const one of found) {
      const failed = one.failed.map((name) => `\n    ${name}`).join("");
      print(`${one.path}: ${one.passed} passed${one.ended ? "" : ", did not end"}${failed}`);
    }
    if (Deno.env.has("REPRISE_WINE_ERRORS")) {
      print(run.stdout.slice(run.stdout.indexOf(" ERRORS ")) + run.stderr);
    }
    results.push(...found);
    const done = new Set(found.map(({ path }) => path));
    rest = rest.filter((path) => !done.has(path));
  }
  return results;
}

/** Runs the daily commands; returns how many failed. */
async function runCommands(machine: WineMachine): Promise<number> {
  const home = machine.at("/wine/drive_c/users/ada");
  for (const name of [".claude", ".codex", ".pi", "src", "reprise"]) {
    await Deno.remove(`${home}/${name}`, { recursive: true }).catch(() => {/* the first time */});
  }
  await copyFolder(WINDOWS_HOME, home);
  // A module of its own costs Wine milliseconds, and there are hundreds.
  await bundleProgram(machine.at("/program"));
  const run = (words: readonly string[]): Promise<Printed> =>
    machine.deno([...PROGRAM, ...words], {
      seconds: 60,
      cwd: "/wine/drive_c/users/ada/src/shop",
      variables: {
        REPRISE_HOME: `${HOME}\\reprise`,
      },
    });
  let failed = 0;
  const check = (name: string, is_right: boolean, said: () => string): void => {
    print(`${is_right ? "ok    " : "FAILED"} ${name}${is_right ? "" : `\n${said()}`}`);
    if (!is_right) failed += 1;
  };
  const same = await sameOutputs(run, PROJECT.slice(0, HOME.length));
  Deno.writeTextFileSync(machine.at("/tmp/same.txt"), same);
  check("the same as on Linux", same === expectedOutputs(), () => same);
  for (const { words, says, status = 0 } of DAILY_COMMANDS) {
    const done = await run(words);
    const is_right = done.status === status && says.test(done.stdout + done.stderr);
    check(words.join(" "), is_right, () => `${done.status}\n${done.stdout}${done.stderr}`);
  }
  return failed;
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

async function main(args: readonly string[]): Promise<number> {
  const folder = Deno.env.get("REPRISE_WINE");
  if (!folder) {
    print("REPRISE_WINE names no folder for Wine");
    return 2;
  }
  const all = testFilesIn(FOLDERS);
  const chosen = args.length > 0 ? [...args] : all.filter((path) => LEFT_OUT[path] === undefined);
  await using machine = new WineMachine(folder);
  await machine.make(all);
  const wrong = args.length > 0 && !args.includes("commands") ? 0 : await runCommands(machine);
  if (args.includes("commands")) return wrong === 0 ? 0 : 1;
  const results = await runFiles(machine, chosen);
  const good = results.filter(({ ended, failed }) => ended && failed.length === 0);
  print(`${good.length} of ${results.length} files passed; ${all.length} files in all`);
  return wrong === 0 && good.length === results.length ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
