/**
 * Transcripts: command lines and what they print, as text. `= RULE` begins a test in a home of its
 * own, `+ …` puts something there, `$ reprise …` is run, and `< …` are lines of its standard input.
 * Behind `+`, each `< …` is one more event of the session. A rule that ends with `(Unix)` or `(Linux)`
 * is left out elsewhere.
 * `$ cat FILE`, `$ grep TEXT FILE`, `$ ls FOLDER` and `$ find FOLDER` show what is on the disk, `$ cmp
 * FILE FILE` whether two files differ, `$ rm PATH` removes it, `$ cd FOLDER` goes there; `*` is the
 * only entry of a folder. `$ NAME=value reprise …` sets a variable, and `COLUMNS` prints to a terminal
 * of this width. `$ reprise@ben …` runs on another machine, whose home is the folder `ben` of the
 * home. `$ reprise … | .a .b.c` prints these members of each line of JSON, and `$ sleep 0.1`
 * waits. In what is put and typed, `\n` is a line feed, and `~/` is below the home, also in standard
 * input.
 * What follows is expected: standard output as it is, standard error behind `! `, the exit status
 * behind `? ` where it is not 0. `[..]` stands for any text of a line, `...` for any lines, `~` for
 * the home, `<1>` for the first id that the program made, `\x1b` for a control character.
 */
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CliOptions } from "../_support/cli.ts";
import type { CliHome } from "../_support/cli_home.ts";
import { filesBelow } from "../_support/files_below.ts";
import type { Scene, Step } from "../_support/scene.ts";
import { put } from "./_transcript_home.ts";

/** Programs of a transcript besides those above: each gets the rest of its line, and prints a text. */
export type Programs = Readonly<Record<string, (rest: string) => Promise<string>>>;

/** Plays a scene; returns it with what was printed, where that is not what was expected. */
export async function played(
  home: CliHome,
  { rule, steps }: Scene,
  programs: Programs = {},
): Promise<Scene> {
  const player: Player = { home, programs, cwd: home.work, ids: [] };
  const done: Step[] = [];
  for (const step of steps) {
    const put_there = step.line.startsWith("+ ");
    const what = [step.line.slice(2), ...put_there ? step.stdin : []].join(" / ");
    const line = meant(player, what);
    if (put_there) put(home, line.replaceAll("\\n", "\n"));
    const printed = put_there ? [] : await run(player, line, step.stdin);
    const expected = matches(step.expected, printed) ? step.expected : kept(step.expected, printed);
    done.push({ ...step, expected });
  }
  return { rule, steps: done };
}

interface Player {
  home: CliHome;
  programs: Programs;
  /** The working directory of the commands. */
  cwd: string;
  /** The ids that the program made, in the order in which they were printed. */
  ids: string[];
}

const VARIABLE = /^([A-Z_]+)=(.*)$/;

/** Puts a path in place of each `~/`, and an id of each `<1>`. */
function meant({ home, ids }: Player, text: string): string {
  const whole = text.replaceAll("~/", `${home.path}/`);
  return ids.reduce((said, id, at) => said.replaceAll(`<${at + 1}>`, id), whole);
}

async function run(player: Player, line: string, stdin: readonly string[]): Promise<string[]> {
  const { home, ids } = player;
  const [, name = "", rest = ""] = /^(\S+) ?([^]*)$/.exec(line) ?? [];
  const own = player.programs[name];
  if (own !== undefined) return linesOf(await own(rest), home.path);
  const [before = "", members] = line.split(" | ");
  const words = wordsOf(before, home.path);
  const named = words.findIndex((word) => !VARIABLE.test(word));
  const [program, ...args] = words.slice(named);
  if (program === "sleep") await delay(1000 * Number(args[0]));
  const [reprise, machine] = program?.split("@") ?? [];
  if (reprise !== "reprise") return shown(program, args, player);
  const { COLUMNS, ...env } = Object.fromEntries(
    words.slice(0, named).map((word) => word.split(/=(.*)/, 2)),
  );
  const { status, stdout, stderr } = await home.run(args, {
    ...machine === undefined ? { cwd: player.cwd, env } : ofMachine(join(home.path, machine), env),
    ...(COLUMNS === undefined ? {} : { columns: Number(COLUMNS) }),
    ...(stdin.length === 0 ? {} : { stdin: meant(player, `${stdin.join("\n")}\n`) }),
  });
  const lines = [
    ...linesOf(stdout, home.path).map((one) => members === undefined ? one : picked(one, members)),
    ...linesOf(stderr, home.path).map((one) => `! ${one}`),
    ...(status === 0 ? [] : [`? ${status}`]),
  ];
  return lines.map((one) => one.replace(MADE_ID, (id) => `<${numberOf(id, ids)}>`));
}

/** Returns how to run on another machine, which has a home of its own. */
function ofMachine(path: string, env: Record<string, string>): Pick<CliOptions, "cwd" | "env"> {
  const cwd = join(path, "work");
  Deno.mkdirSync(cwd, { recursive: true });
  return { cwd, env: { HOME: path, USERPROFILE: path, REPRISE_HOME: join(path, "store"), ...env } };
}

/** Returns the members of a line of JSON as JSON, such as `.cost.usd`; null for one that is not there. */
function picked(line: string, members: string): string {
  const value = JSON.parse(line);
  return members.trim().split(" ").map((member) =>
    JSON.stringify(member.split(".").slice(1).reduce((of, name) => of?.[name], value) ?? null)
  ).join(" ");
}

/** An id that no transcript put there, or a public key. */
const MADE_ID =
  /(?<![0-9a-f])(?!\w{8}-0000-)[0-9a-f]{8}-[0-9a-f]{4}-[47](?:[0-9a-f]{3,4}-){2}[0-9a-f]{12}\b|\bage1\w{58,}/g;

function numberOf(id: string, ids: string[]): number {
  if (!ids.includes(id)) ids.push(id);
  return ids.indexOf(id) + 1;
}

function shown(program: string | undefined, args: string[], player: Player): string[] {
  const { home } = player;
  const [text = ""] = args;
  try {
    const [place = player.cwd, other = ""] = args.map((path) =>
      resolve(player.cwd, path.split("/*").reduce(inOnlyEntry))
    );
    if (program === "cat") return linesOf(Deno.readTextFileSync(place), home.path);
    if (program === "grep") {
      const lines = linesOf(Deno.readTextFileSync(other), home.path);
      return lines.filter((line) => line.includes(text));
    }
    if (program === "find") return linesOf(filesBelow(place).join("\n"), home.path);
    if (program === "cmp") return hexOf(place) === hexOf(other) ? [] : ["! they differ"];
    if (program === "ls") return [...Deno.readDirSync(place)].map(({ name }) => name).sort();
    if (program === "rm") Deno.removeSync(place, { recursive: true });
    else if (program === "cd") player.cwd = place;
    else if (program !== "sleep") throw new TypeError(`No transcript runs ${program}`);
    return [];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return ["! not there"];
    throw error;
  }
}

function hexOf(path: string): string {
  return Deno.readFileSync(path).toHex();
}

/** Goes on in a folder whose name a transcript does not know. */
function inOnlyEntry(folder: string, below: string): string {
  const [{ name } = { name: "" }] = Deno.readDirSync(folder);
  return `${folder}/${name}${below}`;
}

/** Splits a command line as a shell does: by spaces, but for those in quotes. */
function wordsOf(line: string, home: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) =>
    word.replace(/(^|=)~/, `$1${home}`).replaceAll("'", "").replaceAll("\\n", "\n")
  );
}

function linesOf(text: string, home: string): string[] {
  const plain = text.replaceAll(JSON.stringify(home).slice(1, -1), "~").replaceAll(home, "~")
    .replace(/~[\\/][^\s'"]*/g, (path) => path.replaceAll(/\\+/g, "/"))
    .replace(/[^\P{Cc}\n\r\t]/gu, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .replace(/\s+$/, "");
  return plain === "" ? [] : plain.split("\n").map((line) => line.trimEnd());
}

function matches(expected: readonly string[], printed: readonly string[]): boolean {
  const pattern = expected.map((line) => line === "..." ? "(?:.*\\n)*?" : `${patternOf(line)}\\n`);
  return new RegExp(`^${pattern.join("")}$`).test(printed.map((line) => `${line}\n`).join(""));
}

function patternOf(line: string): string {
  return line.split("[..]").map(RegExp.escape).join(".*");
}

/** What was printed, with the expected line in place of each that it matches. */
function kept(expected: readonly string[], printed: readonly string[]): string[] {
  return printed.map((line) =>
    expected.find((one) => one !== "..." && new RegExp(`^${patternOf(one)}$`).test(line)) ?? line
  );
}
