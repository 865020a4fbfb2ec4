/**
 * Scenes of a store, as text: `= RULE` begins a test with a store of its own, on disk and in memory,
 * or where the rule says in brackets. `$ [NAME =] CALL [&]` calls a member of a name, as TypeScript
 * would, with JSON, names and members as arguments; `&` does not wait for it, and the name alone
 * does, later. `$ CALL with A, B` calls it for each of the values, which `_` stands for, and tells
 * once what all of them give.
 *
 * What follows is expected: the result as JSON, or behind `! ` what was thrown. `$ CALL | .a .b.c`
 * prints these members, of each element where there are several; `.code` and `.hint` are an error's.
 * `<session>` is the id of the session of this name, `~` the folder of the test, `<log>` the path of a
 * log. In a scene of both places, an append does not say how safe it is: in memory nothing is synced.
 */
import { dirname } from "node:path";
import type { Store } from "../../../lib/core/store/store.ts";
import { isLocked } from "../../../lib/core/log/session_lock.ts";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { openLocalStore } from "../../../lib/core/store/open_store.ts";
import * as reprise from "../../../mod.ts";
import { exportDocument } from "../../../lib/features/export/mod.ts";
import { FaultyFiles } from "../../_support/faulty_files.ts";
import { START, ticking } from "../../_support/kept_sessions.ts";
import { codesOf, readNow } from "../../_support/log_bytes.ts";
import type { Scene } from "../../_support/scene.ts";

/** What names mean. */
type Names = Record<string, unknown>;
type Place = "on disk" | "in memory";

const ONE_PLACE = / \((disk|memory)\)$/;

/** Where a scene is played, with the name of its test. */
export function playsOf({ rule }: Scene): { name: string; place: Place }[] {
  const only = ONE_PLACE.exec(rule)?.[1];
  return (["on disk", "in memory"] as const)
    .filter((place) => only === undefined || place.endsWith(only))
    .map((place) => ({ place, name: `${rule.replace(ONE_PLACE, "")}, ${place}` }));
}

const FULL = { code: "ENOSPC", message: "No space left on device (os error 28)" };
const READ_ONLY = { code: "EROFS", message: "Read-only file system (os error 30)" };
const BROKEN = { code: "EIO", message: "Input/output error (os error 5)" };

/** The disk below a folder. It refuses calls from now on, until it is mended. */
class Disk implements Disposable {
  #refuses: RegExp | undefined;
  #fault = FULL;
  readonly #files: FaultyFiles;

  constructor(root: string) {
    this.#files = new FaultyFiles(root, 0, ({ name }) => {
      const { code, message } = this.#fault;
      if (this.#refuses?.test(name) === true) throw Object.assign(new Error(message), { code });
    });
  }

  fill(): void {
    [this.#refuses, this.#fault] = [/write|mkdir/i, FULL];
  }

  protect(): void {
    [this.#refuses, this.#fault] = [/write|mkdir|lock/i, READ_ONLY];
  }

  /** Fails syncs. */
  break(): void {
    [this.#refuses, this.#fault] = [/^file\.syncData$/, BROKEN];
  }

  mend(): void {
    this.#refuses = undefined;
  }

  [Symbol.dispose](): void {
    this.#files[Symbol.dispose]();
  }
}

/** What a scene does with files, and sees in logs. */
const FILES = {
  exists: (path: string) => Deno.lstat(path).then(() => true, () => false),
  write: (path: string, text: string) => Deno.writeTextFile(path, text),
  append: (path: string, text: string) => Deno.writeTextFile(path, text, { append: true }),
  removeFolder: (path: string) => Deno.remove(dirname(path), { recursive: true }),
  replace: async (path: string, from: string, to: string) =>
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace(from, to)),
  isLocked: (path: string) => isLocked(dirname(path)),
  events: (path: string) => readNow(Deno.readFileSync(path)).events,
  codes: (path: string) => codesOf(readNow(Deno.readFileSync(path))),
};

/** Values that no JSON has. */
const STRANGE = {
  ...{ NaN, undefined, aDate: new Date(START), noDate: new Date(NaN), aSymbol: Symbol("s") },
  ...{ aFunction: () => 5, aMap: new Map([["input", 5]]), aSet: new Set([5]) },
  ...{ stillClock: () => new Date(START), noClock: () => new Date(NaN) },
  long: "x".repeat(5000),
  slashed: () => "talk/1",
  noJson: { toJSON: () => undefined },
};
const STATE = /,"state":"(?:synced|written)"/g;

/** Plays a scene in a folder of its own; returns it with what was printed. */
export async function played(scene: Scene, place: Place, cwd: string): Promise<Scene> {
  // Only scenes of a disk need it: it replaces Deno's own functions.
  const needs_disk = scene.steps.some(({ line }) => line.startsWith("$ disk."));
  using disk = needs_disk ? new Disk(cwd) : undefined;
  const root = `${cwd}/store`;
  const options = ticking();
  const open = (more: object): Store =>
    place === "on disk"
      ? openLocalStore({ root, ...options, ...more })
      : memoryStore({ ...options, ...more });
  const store = open({});
  const names: Names = {
    ...{ cwd, root, here: `${cwd}/here`, there: `${cwd}/there` },
    ...{ disk, store, openStore: open, file: FILES },
    ...{ reprise, exportDocument, ...STRANGE, tomorrow: new Date(START + 86_400_000) },
  };
  const is_anywhere = !ONE_PLACE.test(scene.rule);
  const steps: Scene["steps"] = [];
  for (const step of scene.steps) {
    const [line = "", values] = step.line.slice(2).split(" with ");
    const printed: string[] = [];
    for (const value of values === undefined ? [undefined] : argumentsIn(names, values)) {
      names._ = value;
      printed.push(shown(names, await run(names, line)));
    }
    const told = new Set(printed).size === 1 ? printed.slice(0, 1) : printed;
    const expected = told.filter((text) => text !== "")
      .map((text) => is_anywhere ? text.replaceAll(STATE, "") : text);
    steps.push({ ...step, expected });
  }
  return { rule: scene.rule, steps };
}

const LINE = /^(?:(\w+) = )?(.*?)( &)?(?: \| (.*))?$/;

/** Runs a line; returns what it prints. */
async function run(names: Names, line: string): Promise<string> {
  const [, name, call = "", waits, members] = LINE.exec(line) ?? [];
  try {
    const begun = valueOf(names, call);
    if (waits !== undefined) {
      Promise.allSettled([begun]);
      names[name ?? ""] = begun;
      return "";
    }
    const value = await (isBatches(begun) ? Array.fromAsync(begun) : begun);
    if (members !== undefined) {
      return members.split(" ").map((path) => told(memberOf(value, path.slice(1)))).join(" ");
    }
    if (name === undefined) return value === undefined ? "" : told(value);
    names[name] = value;
    return "";
  } catch (error) {
    const { name, message } = error as Error;
    const { code, hint } = reprise.isSessionError(error) ? error : { code: name, hint: undefined };
    if (members === ".code") return `! ${code}`;
    return members === ".hint" ? `! ${hint}` : `! ${code}: ${message}`;
  }
}

function isBatches(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function told(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

const LOG = /(?:~[\\/]+store[\\/]+sessions\b|memory:)[^\s"]*/g;

/** Names ids and the folder in what is printed. */
function shown({ cwd, _, ...names }: Names, text: string): string {
  const sessions = Object.entries(names) as [string, { id?: unknown } | undefined][];
  return sessions.reduce(
    (said, [name, value]) =>
      typeof value?.id === "string" ? said.replaceAll(value.id, `<${name}>`) : said,
    text.replaceAll(told(cwd).slice(1, -1), "~").replaceAll(String(cwd), "~")
      .replaceAll(LOG, "<log>"),
  );
}

/** A member by its path; of an array, that of each element. */
function memberOf(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((of, name) => {
    if (Array.isArray(of) && !(name in of)) return of.flat().map((one) => one[name]);
    return (of as Names | undefined)?.[name];
  }, value);
}

const CALLED = /\.?(\w+)(?:\(((?:"(?:[^"\\]|\\.)*"|[^"()])*)\))?/y;

/** The value of a chain of members and calls. */
function valueOf(names: Names, chain: string): unknown {
  CALLED.lastIndex = 0;
  let value: unknown = names;
  while (CALLED.lastIndex < chain.length) {
    const found = CALLED.exec(chain);
    if (found === null) throw new SyntaxError(`No scene can say ${chain}`);
    const [, name = "", args] = found;
    const member = (value as Names)[name];
    const at = CALLED.lastIndex;
    value = args === undefined
      ? member
      : (member as (...args: unknown[]) => unknown).apply(value, argumentsIn(names, args));
    CALLED.lastIndex = at;
  }
  return value;
}

const WORD = /"(?:[^"\\]|\\.)*"|(?<![\w.])(?!(?:null|true|false)\b)([A-Za-z_][\w.]*)(\s*:)?/g;

/** Arguments as JSON whose keys need no quotes, and in which names stand for values. */
function argumentsIn(names: Names, text: string): unknown[] {
  const json = text.replaceAll(WORD, (all, word, colon) => {
    if (word === undefined) return all;
    return colon === undefined ? `"@${word}"` : `"${word}":`;
  });
  return filled(JSON.parse(`[${json}]`), names) as unknown[];
}

/** Puts its value in place of each name. */
function filled(value: unknown, names: Names): unknown {
  if (typeof value === "string" && value.startsWith("@")) return valueOf(names, value.slice(1));
  if (Array.isArray(value)) return value.map((one) => filled(one, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, names)]));
}
