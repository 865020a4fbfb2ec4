/**
 * A case: a home of an agent as data, and the sessions that the agent's reader must make of it. It is
 * a folder of `testdata/cases/<agent>` with `case.json` and `expected.json`.
 */
import type { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { agentCalled } from "../../lib/library/machine/registry.ts";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { type AgentCase, type AgentHome, makeHome } from "../_support/agent_contract.ts";
import { databaseBytes } from "../_support/database_bytes.ts";
import { insertChat } from "./cursor/_store.ts";
import { insertTalk } from "./goose/_store.ts";
import { insertSession } from "./opencode/_store.ts";

const CASES = new URL("../../testdata/cases/", import.meta.url);
const FIXTURES = new URL("../../testdata/agents/", import.meta.url);

/** A file of a home. Fixtures are named by their path in `testdata/agents/<agent>`. */
export type CaseFile =
  /** A fixture, byte for byte. */
  | string
  /** Records, one a line. */
  | { lines: readonly unknown[] }
  /** One document. */
  | { json: unknown }
  /** A text. */
  | { text: string }
  /** A fixture with texts replaced, each of which must be there. */
  | { file: string; replace: readonly (readonly [string, string])[] }
  /** Some of a fixture's lines, counted from 1; a number below zero is a line without its second half. */
  | { file: string; pick: readonly number[] }
  /** A fixture up to a text in it. */
  | { file: string; until: string }
  /** A database: fixtures of statements, statements, and sessions in the form of `_store.ts`. */
  | { database: readonly DatabaseStep[] };

type DatabaseStep = string | { insert: string | object };

/** What `case.json` says. */
export interface Case {
  /** The rules that the case proves. */
  proves: readonly string[];
  /** The files of the home, by path below it. */
  home: Readonly<Record<string, CaseFile>>;
  /** The agent, where another's folder has the case. */
  agent?: AgentName;
  /** Environment variables; `~` at the start of a value is the home. */
  variables?: Readonly<Record<string, string>>;
  /** The operating system. @default {"linux"} */
  os?: string;
  /** Locate subagents' sessions too. @default {false} */
  subagents?: boolean;
  /** The files to open, by path in the home. @default {what is located} */
  open?: readonly string[];
  /** Ids of the sessions to show; of others, the ids alone are. @default {all} */
  only?: readonly string[];
  /** Threads to read beside those that are listed. */
  threads?: readonly string[];
  /** True where a read of events in force alone is shown. @default {false} */
  in_force?: boolean;
  /** Number of last messages of which the events are shown. @default {none} */
  tail?: number;
  /** Present where the contract of a reader is tested on the home, too: once for each of them. */
  contract?: readonly ContractFields[];
}

/** What the contract has to know of a home beside its files. */
export type ContractFields = Partial<
  Pick<AgentCase, "cwd" | "id" | "unit" | "all_or_nothing" | "damage"> & {
    /** A pattern in the text of a session that is forked, and what the fork has, with its id as `ID`. */
    fork: readonly [pattern: string, text: string] | null;
  }
>;

/** A case in its folder. */
export interface FiledCase extends Case {
  agent: AgentName;
  /** The agent's folder and its own, such as `gemini/rewound`. */
  name: string;
  /** Where the sessions are told that are expected. */
  expected: URL;
}

/** All cases, in the order of their names. */
export function allCases(): FiledCase[] {
  return namesIn(CASES).flatMap((agent) =>
    namesIn(new URL(`${agent}/`, CASES)).map((name) => caseIn(agent, name))
  );
}

function namesIn(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name).sort();
}

function caseIn(agent: string, name: string): FiledCase {
  const folder = new URL(`${agent}/${name}/`, CASES);
  const read: Case = JSON.parse(Deno.readTextFileSync(new URL("case.json", folder)));
  return {
    ...read,
    agent: read.agent ?? agentCalled(agent) as AgentName,
    name: `${agent}/${name}`,
    expected: new URL("expected.json", folder),
  };
}

/** Files whose times no test sets are as old as this. */
const MODIFIED = new Date("2026-11-21T20:41:27.000Z");

/** Returns the files of a case's home, by path below it. */
export function filesOf({ name, home }: FiledCase): AgentCase["files"] {
  const [agent = ""] = name.split("/");
  const files = Object.entries(home).map(([path, file]) => [path, contentOf(agent, file)] as const);
  return Object.fromEntries(files);
}

/** Makes the home of a case. */
export async function homeOf(given: FiledCase): Promise<AgentHome> {
  const { home, variables, os = "linux" } = given;
  const made = await makeHome(filesOf(given), variables, os);
  for (const path of Object.keys(home)) {
    Deno.utimeSync(`${made.path}/${path}`, MODIFIED, MODIFIED);
  }
  return made;
}

function contentOf(agent: string, file: CaseFile): URL | string | Uint8Array {
  const fixture = (name: string): URL => new URL(`${agent}/${name}`, FIXTURES);
  if (typeof file === "string") return fixture(file);
  if ("lines" in file) return file.lines.map((line) => JSON.stringify(line) + "\n").join("");
  if ("json" in file) return JSON.stringify(file.json);
  if ("text" in file) return file.text;
  if ("database" in file) return databaseOf(agent, file.database);
  const text = Deno.readTextFileSync(fixture(file.file));
  if ("until" in file) return text.slice(0, text.indexOf(file.until));
  return "pick" in file ? picked(text, file.pick) : replaced(text, file.replace);
}

function replaced(text: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((before, [old, other]) => {
    const after = before.replaceAll(old, () => other);
    if (after === before) throw new Error(`no ${old} to replace`);
    return after;
  }, text);
}

function picked(text: string, numbers: readonly number[]): string {
  const lines = text.split("\n");
  const all = numbers.map((number) => {
    const line = lines[Math.abs(number) - 1] ?? "";
    return number > 0 ? line : line.slice(0, line.length / 2);
  });
  // A torn line at the end has no newline.
  return all.join("\n") + ((numbers.at(-1) ?? 0) < 0 ? "" : "\n");
}

const INSERTS: Readonly<Record<string, (database: DatabaseSync, row: never) => void>> = {
  cursor: insertChat,
  goose: insertTalk,
  opencode: insertSession,
};

function databaseOf(agent: string, steps: readonly DatabaseStep[]): Uint8Array {
  const textOf = (name: string) => Deno.readTextFileSync(new URL(`${agent}/${name}`, FIXTURES));
  return databaseBytes((database) => {
    // Not every runtime has functions of databases.
    if (JSON.stringify(steps).includes("zstd(")) {
      database.function("zstd", (text) => zstdCompressSync(String(text)));
    }
    for (const step of steps) {
      if (typeof step === "string") {
        database.exec(/^[\w/]+\.sql$/.test(step) ? textOf(step) : step);
      } else {
        const { insert } = step;
        const row = typeof insert === "string" ? JSON.parse(textOf(insert)) : insert;
        INSERTS[agent]?.(database, row as never);
      }
    }
  });
}
