/**
 * Runs suites one after the other, and writes what became of each into `.github/RUNS.md`:
 * `deno task runs [TASK]…`, by default all. The page is written after each suite, and keeps the
 * sections of suites that are not run.
 */
import { fileURLToPath } from "node:url";
import configuration from "../deno.json" with { type: "json" };
import { ROOT } from "./_support/source_code.ts";

/** The suites of a whole run, in their order. `ci` is `.ci/run`, all others are tasks. */
const SUITES = [
  ...["test", "test:all", "test:stress", "test:torture", "test:clients", "test:browser"],
  ...["test:runtimes", "test:suites", "test:executable", "test:release", "test:wine", "mutants"],
  ...["bench", "bench:peers", "figures", "ci"].filter((name) =>
    name === "ci" || Object.hasOwn(configuration.tasks, name)
  ),
];
const PAGE = new URL(".github/RUNS.md", ROOT);
const LAST_LINES = 12;
const HEAD = `# Runs

This page shows the last run of each suite: its command, its time, and the last lines that it
printed. \`deno task runs\` writes the page.
`;
// deno-lint-ignore no-control-regex -- Colours begin with this character.
const COLOURS = /\u001b\[[0-9;]*[A-Za-z]/g;

/** A run of a suite. */
export interface SuiteRun {
  name: string;
  /** The command line, as a person types it. */
  command: string;
  /** True if it ended with status 0. */
  passed: boolean;
  /** When it began, as ISO 8601. */
  began: string;
  seconds: number;
  /** The commit, the machine, and the versions of programs. */
  where: string;
  output: string;
}

/** Returns the last lines of an output that say something, without colours and paths of the machine. */
export function lastLines(output: string, root: string): string[] {
  return output.replaceAll(COLOURS, "").replaceAll(root, "./").split(/\r?\n/)
    .map((line) => (line.split("\r").at(-1) ?? "").trimEnd())
    .filter((line) => line !== "").slice(-LAST_LINES);
}

/** Returns the section of a run. */
export function sectionOf(run: SuiteRun, root: string): string {
  const minutes = `${Math.floor(run.seconds / 60)} min ${Math.round(run.seconds % 60)} s`;
  const result = run.passed ? "passed" : "**failed**";
  return [
    `## ${run.name}`,
    `\`${run.command}\` ${result} after ${minutes}. It began at ${run.began}, on ${run.where}.`,
    ["```text", ...lastLines(run.output, root), "```"].join("\n"),
  ].join("\n\n") + "\n";
}

/** Returns a page's sections, by the names of their suites. */
export function sectionsOf(page: string): Map<string, string> {
  const sections = page.split(/^(?=## )/m).filter((part) => part.startsWith("## "));
  return new Map(sections.map((part) => [/^## (.*)/.exec(part)?.[1] ?? "", part]));
}

/** Returns the page with a section in place, in the order of the suites. */
export function withSection(page: string, name: string, section: string): string {
  const sections = sectionsOf(page).set(name, section);
  const place = (one: string): number => SUITES.indexOf(one);
  const sorted = [...sections].sort(([one], [other]) => place(one) - place(other));
  return [HEAD, ...sorted.map(([, text]) => `${text.trimEnd()}\n`)].join("\n");
}

function said(program: string, ...args: string[]): string {
  const { stdout } = new Deno.Command(program, { args, cwd: ROOT, stderr: "null" }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}

/** Names the commit, the machine and the versions. */
function describePlace(): string {
  const commit = said("git", "rev-parse", "--short=8", "HEAD");
  const cores = `${navigator.hardwareConcurrency} cores`;
  return `commit ${commit}, ${Deno.build.target}, ${cores}, Deno ${Deno.version.deno}`;
}

/** Runs a suite, and shows what it prints. */
async function runSuite(name: string): Promise<SuiteRun> {
  const argv = name === "ci" ? ["bash", ".ci/run"] : [Deno.execPath(), "task", "--quiet", name];
  const command = name === "ci" ? ".ci/run" : `deno task ${name}`;
  const [began, start] = [new Date().toISOString(), performance.now()];
  const line = `${argv.map((word) => `'${word}'`).join(" ")} 2>&1`;
  const child = new Deno.Command("bash", { args: ["-c", line], cwd: ROOT, stdout: "piped" })
    .spawn();
  const [shown, kept] = child.stdout.tee();
  const showing = shown.pipeTo(Deno.stdout.writable, { preventClose: true });
  const output = await new Response(kept).text();
  await showing;
  const passed = (await child.status).success;
  const seconds = (performance.now() - start) / 1000;
  return { name, command, passed, began, seconds, where: describePlace(), output };
}

if (import.meta.main) {
  const names = Deno.args.length > 0 ? Deno.args : SUITES;
  const unknown = names.find((name) => !SUITES.includes(name));
  if (unknown !== undefined) throw new Error(`Cannot run ${unknown}: it is none of ${SUITES}`);
  for (const name of names) {
    const run = await runSuite(name);
    if (!run.passed) Deno.exitCode = 1;
    const page = await Deno.readTextFile(PAGE).catch(() => "");
    await Deno.writeTextFile(PAGE, withSection(page, name, sectionOf(run, fileURLToPath(ROOT))));
  }
}
