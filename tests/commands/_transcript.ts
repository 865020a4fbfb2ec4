/**
 * Transcripts: command lines and what they print, as text. `= RULE` begins a test in a home of its
 * own, `+ …` puts something there, `$ reprise …` is run, and `< …` are lines of its standard input.
 * `$ cat FILE` and `$ ls FOLDER` show what is on the disk; `\n` is a line feed in what is put and typed.
 * What follows is expected: standard output as it is, standard error behind `! `, the exit status
 * behind `? ` where it is not 0. `[..]` stands for any text of a line, `...` for any lines, `~` for
 * the home, `<1>` for the first id that the program made.
 */
import { dirname, join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { type CliHome, sessionId } from "../_support/cli_home.ts";
import { filesBelow } from "../_support/files_below.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { keepPiSession } from "./_pi_session.ts";

/** A line of a transcript that does something, and the lines that it must print. */
interface Step {
  line: string;
  stdin: string[];
  expected: string[];
}

/** One test of a transcript. */
export interface Scene {
  /** The rule that it proves. */
  rule: string;
  steps: Step[];
}

/** Reads the scenes of a transcript. Blank lines before a scene or a step are for the reader. */
export function scenesIn(text: string): Scene[] {
  const scenes: Scene[] = [];
  for (const line of text.replace(/\n+$/, "").split("\n")) {
    const steps = scenes.at(-1)?.steps ?? [];
    const step = steps.at(-1);
    if (line.startsWith("= ")) scenes.push({ rule: line.slice(2), steps: [] });
    else if (/^[$+] /.test(line)) steps.push({ line, stdin: [], expected: [] });
    else if (line.startsWith("< ")) step?.stdin.push(line.slice(2));
    else step?.expected.push(line);
  }
  for (const { expected } of scenes.flatMap(({ steps }) => steps)) {
    while (expected.at(-1) === "") expected.pop();
  }
  return scenes;
}

/** Writes scenes as the text that they are read from. */
export function textOf(scenes: readonly Scene[]): string {
  return scenes.map(({ rule, steps }) =>
    [
      `= ${rule}`,
      ...steps.flatMap(({ line, stdin, expected }) => [
        line,
        ...stdin.map((one) => `< ${one}`),
        ...expected,
      ]),
      "",
    ].join("\n")
  ).join("\n");
}

/** Plays a scene; returns it with what was printed, where that is not what was expected. */
export async function played(home: CliHome, { rule, steps }: Scene): Promise<Scene> {
  const player: Player = { home, ids: [] };
  const done: Step[] = [];
  for (const step of steps) {
    if (step.line.startsWith("+ ")) put(home, step.line.slice(2).replaceAll("\\n", "\n"));
    const printed = step.line.startsWith("$ ") ? await run(player, step) : [];
    const expected = matches(step.expected, printed) ? step.expected : kept(step.expected, printed);
    done.push({ ...step, expected });
  }
  return { rule, steps: done };
}

interface Player {
  home: CliHome;
  /** The ids that the program made, in the order in which they were printed. */
  ids: string[];
}

/**
 * `aaaa [Title] user: One / assistant: Two` keeps a session, whose events may be JSON, too; `pi:1111`
 * one of pi, `path: text` writes a file, `path += text` adds to the one file that the path matches.
 */
function put(home: CliHome, what: string): void {
  const [, id, title, talk] = /^([0-9a-f]{4,8}) (?:\[(.*)\] )?([\w{][^]*)$/.exec(what) ?? [];
  const [, log, more] = /^([0-9a-f]{4,8}) \+= ([^]*)$/.exec(what) ?? [];
  if (log !== undefined) add(home, sessionId(log), more ?? "");
  else if (id !== undefined && talk !== undefined) {
    const events = talk.split(" / ").map(eventOf);
    home.keep(sessionId(id), events, title === undefined ? {} : { title });
  } else if (what.startsWith("pi:")) keepPiSession(home, what.slice(3));
  else write(home, what);
}

function add(home: CliHome, id: string, text: string): void {
  const path = filesBelow(home.store).find((one) => one.includes(id) && one.endsWith(".jsonl"));
  Deno.writeTextFileSync(path ?? "", text, { append: true });
}

function write(home: CliHome, what: string): void {
  const [path = "", ...text] = what.split(": ");
  Deno.mkdirSync(dirname(join(home.path, path)), { recursive: true, mode: 0o700 });
  Deno.writeTextFileSync(join(home.path, path), text.join(": "), { mode: 0o600 });
}

/** `user: …`, `assistant: …`, `call: ID INPUT`, `result: ID OUTPUT`, or an event as JSON. */
function eventOf(said: string): NewEvent {
  if (said.startsWith("{")) return JSON.parse(said);
  const [, role, text = "", id = "", more = ""] = /^(\w+): ((\S*) ?([^]*))$/.exec(said) ?? [];
  if (role === "call") return toolStart(id, JSON.parse(more));
  if (role === "result") return toolEnd(id, more);
  return role === "user" ? user(text) : assistant(text);
}

async function run({ home, ids }: Player, { line, stdin }: Step): Promise<string[]> {
  const typed = ids.reduce((text, id, at) => text.replaceAll(`<${at + 1}>`, id), line.slice(2));
  const [program, ...args] = wordsOf(typed, home.path);
  if (program !== "reprise") return shown(program, args[0] ?? "", home);
  const input = stdin.length === 0 ? {} : { stdin: stdin.map((one) => `${one}\n`).join("") };
  const { status, stdout, stderr } = await home.run(args, input);
  const lines = [
    ...linesOf(stdout, home.path),
    ...linesOf(stderr, home.path).map((one) => `! ${one}`),
    ...(status === 0 ? [] : [`? ${status}`]),
  ];
  return lines.map((one) => one.replace(MADE_ID, (id) => `<${numberOf(id, ids)}>`));
}

/** An id that no transcript put there. */
const MADE_ID = /(?!\w{8}-0000-)\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

function numberOf(id: string, ids: string[]): number {
  if (!ids.includes(id)) ids.push(id);
  return ids.indexOf(id) + 1;
}

function shown(program: string | undefined, path: string, home: CliHome): string[] {
  try {
    if (program === "cat") return linesOf(Deno.readTextFileSync(path), home.path);
    return [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return ["! not there"];
    throw error;
  }
}

/** Splits a command line as a shell does: by spaces, but for those in quotes. */
function wordsOf(line: string, home: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) =>
    word.replace(/^~/, home).replaceAll("'", "").replaceAll("\\n", "\n")
  );
}

function linesOf(text: string, home: string): string[] {
  const plain = text.replaceAll(home, "~")
    .replace(/~[^\s'"]*/g, (path) => path.replaceAll("\\", "/"))
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
